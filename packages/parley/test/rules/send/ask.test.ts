import { textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { kindOf, shows, stateOf, statesOf, textOfParts, textOfTask } from '../../support/frames.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, pause } from '../../support/script.ts';

const AT_ONCE = { returnImmediately: true };

function promptOf(task: Wire): string {
  return textOfParts(task.status.message?.parts);
}

describe('a question in the middle of a run', () => {
  it('goes on with the answer', async () => {
    let runs = 0;
    const { peer } = startServer(
      agentOf(async function* (task) {
        runs += 1;
        yield 'before ';
        const answer = await task.ask('Which quarter?');
        yield `after ${answer}`;
      }),
    );
    const asked = await peer.send('report');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(promptOf(asked)).toBe('Which quarter?');
    expect(asked.status.message).toMatchObject({ role: 'ROLE_AGENT', taskId: asked.id, contextId: asked.contextId });
    const answered = await peer.send('Q4', { taskId: asked.id });
    expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(answered)).toBe('before after Q4');
    expect(runs).toBe(1);
  });

  it('may be followed by another one', async () => {
    const { peer } = startServer(agentOf(async (task) => `${await task.ask('name?')} is ${await task.ask('age?')}`));
    const first = await peer.send('register');
    expect(promptOf(first)).toBe('name?');
    const second = await peer.send('Ann', { taskId: first.id });
    expect(second.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(promptOf(second)).toBe('age?');
    const third = await peer.send('33', { taskId: first.id });
    expect(third.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(third)).toBe('Ann is 33');
    expect(third.history.map((message: Wire) => textOfParts(message.parts))).toEqual([
      'register',
      'name?',
      'Ann',
      'age?',
      '33',
    ]);
  });

  it('takes a message that is already waiting as its answer', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async (task) => {
        await go.promise;
        const answer = await task.ask('Which one?');
        return `took ${answer}`;
      }),
    );
    const { id } = await peer.send('go', {}, AT_ONCE);
    const stream = await peer.open('SubscribeToTask', { id });
    const follow = peer.send('that one', { taskId: id });
    await eventually(async () => (await peer.call('GetTask', { id })).history.length).toBe(2);
    go.resolve();
    expect(textOfTask(await follow)).toBe('took that one');
    expect(statesOf(await stream.rest())).toEqual([
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
    ]);
  });

  it('that is answered at once does not leave the first send with a working task [rule:send.blocking-default]', async () => {
    const go = gate();
    const finish = gate();
    const { peer } = startServer(
      agentOf(async (task) => {
        await go.promise;
        const answer = await task.ask('Which one?');
        await finish.promise;
        return `took ${answer}`;
      }),
    );
    const first = peer.send('go', { contextId: 'talk' });
    const listed = async () => (await peer.call('ListTasks', { contextId: 'talk' })).tasks[0]?.id;
    await eventually(listed).toBeDefined();
    await peer.send('that one', { taskId: await listed() }, AT_ONCE);
    go.resolve();
    await pause(50);
    finish.resolve();
    expect(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']).toContain((await first).status.state);
  });

  it('leaves messages that came after the answer to the run', async () => {
    const { peer } = startServer(
      agentOf(async (task) => {
        const answer = await task.ask('Which one?');
        const more: string[] = [];
        for await (const message of task.messages()) {
          more.push(textOf(message));
          break;
        }
        return [answer, ...more].join(', ');
      }),
    );
    const { id } = await peer.send('go');
    const [first, second] = await Promise.all([
      peer.send('the answer', { taskId: id }, AT_ONCE),
      peer.send('an afterthought', { taskId: id }),
    ]);
    expect(first.id).toBe(id);
    expect(textOfTask(second)).toBe('the answer, an afterthought');
  });

  it('may ask for an authorization [rule:stream.auth-required-open]', async () => {
    const { peer } = startServer(
      agentOf(async (task) => `token ${await task.ask('Log in', { state: 'auth-required' })}`),
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    const asked = (await stream.until(shows('TASK_STATE_AUTH_REQUIRED'))).at(-1);
    expect(kindOf(asked)).toBe('statusUpdate');
    const { taskId } = asked?.result.statusUpdate ?? {};
    const answered = await peer.send('abc', { taskId });
    expect(textOfTask(answered)).toBe('token abc');
    expect(stateOf((await stream.rest()).at(-1))).toBe('TASK_STATE_COMPLETED');
  });

  it('may be asked while another one is open: a message answers the oldest', async () => {
    const { peer } = startServer(
      agentOf(async (task) => {
        const first = task.ask('one?');
        const second = await task.ask('two?');
        return `${await first}; ${second}`;
      }),
    );
    const asked = await peer.send('go');
    expect(promptOf(asked)).toBe('one?\n\ntwo?');
    const half = await peer.send('1', { taskId: asked.id });
    expect(promptOf(half)).toBe('two?');
    expect(textOfTask(await peer.send('2', { taskId: asked.id }))).toBe('1; 2');
  });

  it('waits as long as it takes: that time is not the time of the run', async () => {
    const clock = new ManualClock();
    const { peer } = startServer(
      agentOf(async (task) => `${await task.ask('Which one?')} it is`),
      { clock, limits: { runTimeout: 100, inactivityTimeout: 100 } },
    );
    const asked = await peer.send('go');
    await clock.advance(300);
    expect((await peer.call('GetTask', { id: asked.id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(textOfTask(await peer.send('this', { taskId: asked.id }))).toBe('this it is');
  });
});
