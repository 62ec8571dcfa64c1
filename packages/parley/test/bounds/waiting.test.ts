import { type A2AServerOptions, type Agent, memory, type TaskContext } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { textOfTask } from '../support/frames.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { sendParams, startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { troubledStore } from '../support/stores/troubled-store.ts';
import { tempFile } from '../support/temp-folder.ts';

const SECOND = 1000;
/** Short, because a clock of tests fires each heartbeat on its way. */
const LIMITS = { askTimeout: 60 * SECOND, parkAfter: 10 * SECOND } as const;

type Run = (task: TaskContext) => Promise<string>;

function start(agent: Agent, options: Partial<A2AServerOptions> = {}) {
  const clock = new ManualClock();
  return { clock, ...startServer(agent, { clock, limits: LIMITS, ...options }) };
}

const resumable = (run: Run) => agentOf(run, { resumable: true });

describe('a question of a run that cannot be resumed', () => {
  const asking = agentOf(async (task) => `got ${await task.ask('Which?')}`);

  it('ends the task at askTimeout, with its reason', async () => {
    const { peer, server, clock } = start(asking);
    const { id } = await peer.send('go');
    await clock.advance(60 * SECOND - 1);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(server.load.tasks).toBe(1);
    await clock.advance(1);
    await eventually(async () => (await peer.call('GetTask', { id })).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { metadata: { reason: 'input-timeout', timeoutSeconds: 60 } },
    });
    await eventually(() => server.load.tasks).toBe(0);
  });

  it('waits as long as it says itself, or for ever where askTimeout is 0', async () => {
    const longer = agentOf(async (task) => `got ${await task.ask({ prompt: 'Which?', timeout: 120 * SECOND })}`);
    for (const { peer, clock } of [start(longer), start(asking, { limits: { ...LIMITS, askTimeout: 0 } })]) {
      const { id, contextId } = await peer.send('go');
      await clock.advance(110 * SECOND);
      const answered = await peer.send('this', { taskId: id, contextId });
      expect(textOfTask(answered)).toBe('got this');
    }
  });
});

describe.each<[string, () => Store]>([
  ['memory', () => memory()],
  ['sqlite', () => sqlite(tempFile('waiting.db'))],
])('a question of a resumable run, kept in %s', (_, openStore) => {
  it('leaves the memory after parkAfter, and goes on with its answer', async () => {
    let runs = 0;
    let steps = 0;
    const agent = resumable(async (task) => {
      runs += 1;
      const step = await task.step('count', () => {
        steps += 1;
        return steps;
      });
      const answer = await task.ask('Which?');
      return `step ${step}, ${answer}`;
    });
    const { peer, server, clock, logged } = start(agent, { store: openStore() });
    const { id, contextId } = await peer.send('go');
    await clock.advance(10 * SECOND - 1);
    expect(server.load.tasks).toBe(1);
    await clock.advance(1);
    await eventually(() => server.load.tasks).toBe(0);
    expect(runs).toBe(1);
    await clock.advance(100 * SECOND);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const answered = await peer.send('this', { taskId: id, contextId });
    expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(answered)).toBe('step 1, this');
    expect([runs, steps]).toEqual([2, 1]);
    expect(logged).toEqual([]);
  });

  it('is given up in time although its run has left the memory', async () => {
    const agent = resumable((task) => task.ask({ prompt: 'Which?', timeout: 30 * SECOND, onTimeout: 'nobody' }));
    const { peer, server, clock } = start(agent, { store: openStore() });
    const { id } = await peer.send('go');
    await clock.advance(10 * SECOND);
    await eventually(() => server.load.tasks).toBe(0);
    await clock.advance(20 * SECOND);
    await eventually(async () => {
      await clock.advance(1);
      return textOfTask(await peer.call('GetTask', { id }));
    }).toBe('nobody');
    await eventually(() => server.load.tasks).toBe(0);
  });

  it('is given up in time although a message to it was refused while its run was not in memory', async () => {
    const agent = resumable((task) => task.ask({ prompt: 'Which?', timeout: 30 * SECOND, onTimeout: 'nobody' }));
    const { peer, server, clock } = start(agent, { store: openStore() });
    const { id } = await peer.send('go');
    await clock.advance(10 * SECOND);
    await eventually(() => server.load.tasks).toBe(0);
    const { message } = sendParams('this', { taskId: id, contextId: 'another' });
    expect((await peer.error('SendMessage', { message })).code).toBe(-32602);
    await eventually(() => server.load.tasks).toBe(0);
    await clock.advance(20 * SECOND);
    await eventually(async () => {
      await clock.advance(1);
      return textOfTask(await peer.call('GetTask', { id }));
    }).toBe('nobody');
  });

  it('is given up as soon as its run can be loaded, where the store fails before and when its time comes', async () => {
    const agent = resumable((task) => task.ask({ prompt: 'Which?', timeout: 30 * SECOND, onTimeout: 'nobody' }));
    const line = troubledStore(openStore());
    const { peer, server, clock } = start(agent, { store: line.store });
    const { id } = await peer.send('go');
    await clock.advance(10 * SECOND);
    await eventually(() => server.load.tasks).toBe(0);
    line.begin('fails', ['load', 'journal']);
    await peer.error('SendMessage', sendParams('this', { taskId: id }));
    await clock.advance(25 * SECOND);
    line.end();
    await eventually(async () => {
      await clock.advance(SECOND);
      return textOfTask(await peer.call('GetTask', { id }));
    }).toBe('nobody');
    await eventually(() => server.load.tasks).toBe(0);
  });

  it('can be canceled, read and subscribed to while its run is not in memory', async () => {
    const { peer, server, clock } = start(
      resumable((task) => task.ask('Which?')),
      { store: openStore() },
    );
    const { id } = await peer.send('go');
    const stream = await peer.open('SubscribeToTask', { id });
    await stream.next();
    await clock.advance(10 * SECOND);
    await eventually(() => server.load.tasks).toBe(0);
    expect((await peer.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    const frames = await stream.rest();
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_CANCELED');
  });
});

it('holds nothing for hundreds of questions that nobody answers', async () => {
  const { peer, server, clock } = start(resumable((task) => task.ask('Which?')));
  await Promise.all(Array.from({ length: 300 }, () => peer.send('go')));
  expect(server.load.tasks).toBe(300);
  await clock.advance(10 * SECOND);
  await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
});

describe('a resumable run stays in memory', () => {
  it('while it does a step beside its question', async () => {
    const done = Promise.withResolvers<string>();
    const agent = resumable(async (task) => {
      const step = task.step('long', () => done.promise);
      return `${await task.ask('Which?')}, ${await step}`;
    });
    const { peer, server, clock } = start(agent);
    const { id, contextId } = await peer.send('go');
    await clock.advance(55 * SECOND);
    expect(server.load.tasks).toBe(1);
    done.resolve('done');
    const answered = await peer.send('this', { taskId: id, contextId });
    expect(textOfTask(answered)).toBe('this, done');
  });

  it('where it knows a secret that no journal keeps, but no longer than askTimeout', async () => {
    const agent = resumable(async (task) => {
      await task.ask({ prompt: 'The password?', sensitive: true });
      return task.ask('Which?');
    });
    const { peer, server, clock } = start(agent);
    const { id, contextId } = await peer.send('go');
    await peer.send('hunter2!', { taskId: id, contextId });
    await clock.advance(55 * SECOND);
    expect(server.load.tasks).toBe(1);
    await clock.advance(10 * SECOND);
    await eventually(async () => (await peer.call('GetTask', { id })).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { metadata: { reason: 'input-timeout' } },
    });
  });
});
