import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { idsOf, kindOf, payloadsOf, shows, stateOf, statesOf, textOfStream, textOfTask } from '../../support/frames.ts';
import { doomedServer } from '../../support/nodes/crash.ts';
import { crashAgent } from '../../support/nodes/crash-agent.ts';
import { type RpcFrame, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { tempFile } from '../../support/temp-folder.ts';

const AT_ONCE = { returnImmediately: true };

function restarted(file: string) {
  return startServer(crashAgent(), { store: sqlite(file) });
}

describe('after a crash', () => {
  it('a stream goes on from the committed log without loss or repeat [rule:resume.any-node] [rule:resume.recovery]', async () => {
    const file = tempFile();
    const doomed = await doomedServer(file);
    const stream = await doomed.peer.open('SendStreamingMessage', sendParams('write without end'));
    const before: RpcFrame[] = [];
    await stream.until((frame) => before.push(frame) >= 60);
    await doomed.kill();
    await stream.until((frame) => before.push(frame) < 0).catch(() => {});
    const { id } = before[0]?.result.task ?? {};
    const last = before.at(-1)?.id ?? 0;

    const { peer } = restarted(file);
    const whole = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    expect(payloadsOf(whole.slice(0, before.length - 1))).toEqual(payloadsOf(before.slice(1)));
    expect(idsOf(whole)).toEqual(Array.from({ length: whole.length }, (_, index) => index + 3));
    for (let position = 0; position <= last; position += 5) {
      const rest = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(position) });
      expect(payloadsOf(rest)).toEqual(payloadsOf(whole.filter((frame) => (frame.id ?? 0) > position)));
    }
    const rest = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(last) });
    expect(idsOf([...before, ...rest])).toEqual([2, ...idsOf(whole)]);
    expect(stateOf(rest.at(-1))).toBe('TASK_STATE_FAILED');
    expect(textOfTask(await peer.call('GetTask', { id }))).toBe(textOfStream(whole));
  });

  it('a task that was running has failed with a reason, and none is left working [rule:resume.recovery]', async () => {
    const file = tempFile();
    const doomed = await doomedServer(file);
    const ids: string[] = [];
    for (const text of ['hang', 'write without end', 'hang']) ids.push((await doomed.peer.send(text, {}, AT_ONCE)).id);
    const finished = await doomed.peer.send('something');
    await doomed.kill();

    const { peer } = restarted(file);
    for (const id of ids) {
      const { status } = await peer.call('GetTask', { id });
      expect(status.state).toBe('TASK_STATE_FAILED');
      expect(status.message.metadata.reason).toBe('server-restarted');
      expect(status.message).toMatchObject({ role: 'ROLE_AGENT', taskId: id });
    }
    for (const status of ['TASK_STATE_WORKING', 'TASK_STATE_SUBMITTED']) {
      expect((await peer.call('ListTasks', { status })).totalSize).toBe(0);
    }
    expect(await peer.call('GetTask', { id: finished.id })).toEqual(finished);
  });

  it('what was answered is still there, many times over [rule:resume.recovery]', async () => {
    const file = tempFile();
    const answers: Wire[] = [];
    for (let round = 0; round < 3; round += 1) {
      const doomed = await doomedServer(file);
      for (const answer of answers) expect(await doomed.peer.call('GetTask', { id: answer.id })).toEqual(answer);
      answers.push(...(await Promise.all(['a', 'b', 'c'].map((text) => doomed.peer.send(`${text}${round}`)))));
      await doomed.kill();
    }
    const { peer } = restarted(file);
    for (const answer of answers) expect(await peer.call('GetTask', { id: answer.id })).toEqual(answer);
    expect((await peer.call('ListTasks', {})).totalSize).toBe(9);
  });

  it('a turn that ended with a question goes on with the answer [rule:resume.ask-lost]', async () => {
    const file = tempFile();
    const doomed = await doomedServer(file);
    const asked = await doomed.peer.send('require input');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await doomed.kill();

    const { peer } = restarted(file);
    expect(await peer.call('GetTask', { id: asked.id })).toEqual(asked);
    const answered = await peer.send('this', { taskId: asked.id });
    expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(answered)).toBe('before done with this after 2');
  });

  for (const operation of ['SendMessage', 'SendStreamingMessage'] as const) {
    it(`the answer to a run that waited for it fails the task, by ${operation} [rule:resume.ask-lost]`, async () => {
      const file = tempFile();
      const doomed = await doomedServer(file);
      const asked = await doomed.peer.send('ask');
      expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      await doomed.kill();

      const { peer, server } = restarted(file);
      expect(await peer.call('GetTask', { id: asked.id })).toEqual(asked);
      const subscriber = await peer.open('SubscribeToTask', { id: asked.id });
      expect(stateOf(await subscriber.next())).toBe('TASK_STATE_INPUT_REQUIRED');
      const answer = sendParams('this', { taskId: asked.id });
      if (operation === 'SendMessage') {
        expect((await peer.call(operation, answer)).task.status.state).toBe('TASK_STATE_FAILED');
      } else {
        const frames = await peer.stream(operation, answer);
        expect(kindOf(frames[0])).toBe('task');
        expect(stateOf(frames.at(-1))).toBe('TASK_STATE_FAILED');
      }
      expect(statesOf(await subscriber.rest())).toEqual(['TASK_STATE_FAILED']);
      const { status, history } = await peer.call('GetTask', { id: asked.id });
      expect(status.message.metadata.reason).toBe('run-lost');
      expect(history.at(-1).parts).toEqual([{ text: 'this' }]);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  it('a task that waits for an answer can be canceled [rule:cancel.states]', async () => {
    const file = tempFile();
    const doomed = await doomedServer(file);
    const [asked, required] = await Promise.all([doomed.peer.send('ask'), doomed.peer.send('require input')]);
    await doomed.kill();

    const { peer } = restarted(file);
    for (const { id } of [asked, required]) {
      expect((await peer.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    }
  });
});

describe('when the server is closed and started again', () => {
  it('a task that runs has failed with a reason, and its streams can be resumed [rule:resume.recovery]', async () => {
    const file = tempFile();
    const first = restarted(file);
    const stream = await first.peer.open('SendStreamingMessage', sendParams('hang'));
    const frames = await stream.until(shows('TASK_STATE_WORKING'));
    const { id } = frames[0]?.result.task ?? {};
    const reading = stream.rest();
    await first.server.close();
    await reading;

    const { peer } = restarted(file);
    const rest = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(frames.at(-1)?.id) });
    expect(statesOf(rest)).toEqual(['TASK_STATE_FAILED']);
    expect(rest[0]?.result.statusUpdate.status.message.metadata.reason).toBe('server-stopped');
  });

  it('a run that is nearly done may finish, and nothing new is taken', async () => {
    const file = tempFile();
    const { server, peer } = startServer(crashAgent(), { store: sqlite(file), drainTimeout: 5000 });
    const { id } = await peer.send('ask');
    await peer.send('this', { taskId: id }, AT_ONCE);
    const closing = server.close();
    const refused = await peer.request('SendMessage', sendParams('more'));
    expect(refused.status).toBe(503);
    await closing;
    const again = restarted(file);
    await eventually(async () => (await again.peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
  });
});
