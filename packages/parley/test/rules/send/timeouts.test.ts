import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { stateOf, textOfParts, textOfTask } from '../../support/frames.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the request timeout', () => {
  it('gives a blocking send the current task after 5 minutes, and the task goes on [rule:send.timeout]', async () => {
    const clock = new ManualClock();
    const released = gate();
    const started = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'so far';
        started.resolve();
        await released.promise;
        yield ' and to the end';
      }),
      { clock },
    );
    let answer: Wire;
    const sent = peer.call('SendMessage', sendParams('go')).then((result) => {
      answer = result.task;
    });
    await started.promise;
    await clock.advance(5 * MINUTE - 1);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    await sent;
    expect(answer.status.state).toBe('TASK_STATE_WORKING');
    expect(textOfTask(answer)).toBe('so far');
    released.resolve();
    const finished = () => peer.call('GetTask', { id: answer.id });
    await eventually(finished).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(textOfTask(await finished())).toBe('so far and to the end');
  });

  it('can be set, and holds for follow-ups too [rule:send.timeout]', async () => {
    const { peer, server } = startServer(
      agentOf((task) => hang(task)),
      { limits: { requestTimeout: 50 } },
    );
    const first = await peer.send('go');
    expect(first.status.state).toBe('TASK_STATE_WORKING');
    const second = await peer.send('and?', { taskId: first.id });
    expect(second.status.state).toBe('TASK_STATE_WORKING');
    expect(second.history).toHaveLength(2);
    await peer.call('CancelTask', { id: first.id });
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });
});

describe('a run that takes too long', () => {
  it('fails after an hour with a reason, and its signal is aborted', async () => {
    const clock = new ManualClock();
    const aborted = gate<unknown>();
    const { peer } = startServer(
      agentOf((task) => {
        task.signal.addEventListener('abort', () => aborted.resolve(task.signal.reason));
        // It swallows the abort and goes on.
        return new Promise(() => {});
      }),
      { clock, limits: { inactivityTimeout: 2 * HOUR, stallTimeout: 2 * HOUR } },
    );
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    const stream = await peer.open('SubscribeToTask', { id });
    await stream.next();
    await clock.advance(HOUR - 1);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    await clock.advance(1);
    const end = await stream.next();
    expect(stateOf(end)).toBe('TASK_STATE_FAILED');
    expect(end?.result.statusUpdate.status.message.metadata.reason).toBe('run-timeout');
    expect(await stream.next()).toBeUndefined();
    expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
  });

  it('knows its deadline', async () => {
    const clock = new ManualClock();
    const { peer } = startServer(
      agentOf((task) => String(task.deadline.getTime() - clock.now())),
      { clock, limits: { runTimeout: 1234 } },
    );
    expect(textOfTask(await peer.send('go'))).toBe('1234');
  });
});

describe('a run that is silent for too long', () => {
  it('fails after 10 minutes with a reason', async () => {
    const clock = new ManualClock();
    const { peer } = startServer(
      agentOf((task) => hang(task)),
      { clock },
    );
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    await clock.advance(10 * MINUTE - 1);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    await clock.advance(1);
    const { status } = await peer.call('GetTask', { id });
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message.metadata.reason).toBe('inactivity-timeout');
    expect(textOfParts(status.message.parts)).toContain('inactivity-timeout');
  });

  it('is one that neither writes nor reads: each of both counts as a sign of life', async () => {
    const clock = new ManualClock();
    const steps = [gate(), gate(), gate()];
    const { peer } = startServer(
      agentOf(async (task) => {
        await steps[0]?.promise;
        await task.write('a');
        await steps[1]?.promise;
        await task.status('still here');
        await steps[2]?.promise;
        task.messages().take();
        await hang(task);
      }),
      { clock },
    );
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    for (const step of steps) {
      await clock.advance(9 * MINUTE);
      step.resolve();
      await clock.advance(0);
    }
    await clock.advance(9 * MINUTE);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    await clock.advance(MINUTE);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_FAILED');
  });

  it('may become a task only to fail: the reply window is longer than its time', async () => {
    const { peer } = startServer(
      agentOf((task) => hang(task)),
      { limits: { replyWindow: HOUR, inactivityTimeout: 50 } },
    );
    expect((await peer.send('go')).status.state).toBe('TASK_STATE_FAILED');
  });
});

it('has no limit where it is set to 0', async () => {
  const clock = new ManualClock();
  const go = gate();
  const { peer } = startServer(
    agentOf(async () => {
      await go.promise;
      return 'done';
    }),
    { clock, limits: { runTimeout: 0, inactivityTimeout: 0, requestTimeout: 0, heartbeatInterval: HOUR } },
  );
  const { id } = await peer.send('go', {}, { returnImmediately: true });
  let answer: Wire;
  const sent = peer.send('and?', { taskId: id }).then((task) => {
    answer = task;
  });
  await clock.advance(100 * HOUR);
  expect(answer).toBeUndefined();
  expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
  go.resolve();
  await sent;
  expect(answer.status.state).toBe('TASK_STATE_COMPLETED');
});
