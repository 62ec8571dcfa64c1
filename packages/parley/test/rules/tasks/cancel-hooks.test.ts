import { inputRequired } from 'parley-a2a';
import { expect, it } from 'vitest';
import { kindOf, stateOf, textOfTask } from '../../support/frames.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang, pause } from '../../support/script.ts';

const AT_ONCE = { returnImmediately: true };

it('onCancel may add artifacts before the task is CANCELED [rule:cancel.on-cancel]', async () => {
  const { peer } = startServer(
    agentOf(async function* (task) {
      task.onCancel(async () => {
        await task.status('cleaning up');
        await pause(10);
        await task.artifact({ artifactId: 'partial', name: 'partial result' }).end('what there is');
        await task.write(' and a last word');
      });
      yield 'first words';
      await hang(task);
    }),
  );
  const stream = await peer.open('SendStreamingMessage', sendParams('go'));
  const before = await stream.until((frame) => frame.result.artifactUpdate !== undefined);
  const { id } = before[0]?.result.task ?? {};
  const answer = await peer.call('CancelTask', { id });
  expect(answer.status.state).toBe('TASK_STATE_CANCELED');
  expect(answer.artifacts[0].parts).toEqual([{ text: 'first words and a last word' }]);
  expect(answer.artifacts[1]).toMatchObject({ artifactId: 'partial', parts: [{ text: 'what there is' }] });
  const rest = await stream.rest();
  expect(rest.map(kindOf)).toEqual(['statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
  expect(stateOf(rest.at(-1))).toBe('TASK_STATE_CANCELED');
});

it('onCancel has 2 seconds, and what it writes later is dropped [rule:cancel.on-cancel]', async () => {
  const clock = new ManualClock();
  const late = gate();
  const { peer, server } = startServer(
    agentOf(async (task) => {
      task.onCancel(async () => {
        await task.write('in time');
        await late.promise;
        await task.write(' too late').catch(() => {});
      });
      await hang(task);
    }),
    { clock },
  );
  const { id } = await peer.send('go', {}, AT_ONCE);
  const stream = await peer.open('SubscribeToTask', { id });
  let answer: Wire;
  const canceled = peer.call('CancelTask', { id }).then((task) => {
    answer = task;
  });
  await clock.advance(1999);
  expect(answer).toBeUndefined();
  const meanwhile = await peer.call('GetTask', { id });
  expect(meanwhile.status.state).toBe('TASK_STATE_WORKING');
  expect(textOfTask(meanwhile)).toBe('in time');
  await clock.advance(1);
  await canceled;
  expect(answer.status.state).toBe('TASK_STATE_CANCELED');
  late.resolve();
  await settle();
  expect(await peer.call('GetTask', { id })).toEqual(answer);
  expect(textOfTask(answer)).toBe('in time');
  expect(stateOf((await stream.rest()).at(-1))).toBe('TASK_STATE_CANCELED');
  expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
});

it('onCancel that never returns holds the cancel up for its grace and no longer [rule:cancel.on-cancel]', async () => {
  const clock = new ManualClock();
  const { peer } = startServer(
    agentOf((task) => {
      task.onCancel(() => new Promise(() => {}));
      return hang(task);
    }),
    { clock, limits: { cancelGrace: 50 } },
  );
  const { id } = await peer.send('go', {}, AT_ONCE);
  let answer: Wire;
  const canceled = peer.call('CancelTask', { id }).then((task) => {
    answer = task;
  });
  await clock.advance(49);
  expect(answer).toBeUndefined();
  await clock.advance(1);
  await canceled;
  expect(answer.status.state).toBe('TASK_STATE_CANCELED');
});

it('onCancel that throws, at once or later, does not hold the cancel up [rule:cancel.on-cancel]', async () => {
  const { peer } = startServer(
    agentOf((task) => {
      task.onCancel(() => {
        throw new Error('inner');
      });
      task.onCancel(() => Promise.reject(new Error('inner')));
      task.onCancel(async () => task.write('from the third'));
      return hang(task);
    }),
  );
  const { id } = await peer.send('go', {}, AT_ONCE);
  const answer = await peer.call('CancelTask', { id });
  expect(answer.status.state).toBe('TASK_STATE_CANCELED');
  expect(textOfTask(answer)).toBe('from the third');
});

it('onCancel is not called when the task ends by itself', async () => {
  let called = false;
  const { peer } = startServer(
    agentOf((task) => {
      task.onCancel(() => {
        called = true;
      });
      return 'done';
    }),
  );
  expect((await peer.send('go')).status.state).toBe('TASK_STATE_COMPLETED');
  await pause(10);
  expect(called).toBe(false);
});

it('while onCancel runs, messages are refused and the run cannot end the task otherwise [rule:cancel.on-cancel]', async () => {
  const go = gate();
  const called = gate();
  const { peer } = startServer(
    agentOf(async (task) => {
      task.onCancel(async () => {
        called.resolve();
        await go.promise;
      });
      await hang(task).catch(() => {});
      return 'completed after all';
    }),
  );
  const { id } = await peer.send('go', {}, AT_ONCE);
  const canceled = peer.call('CancelTask', { id });
  await called.promise;
  await pause(10);
  expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
  expect((await peer.error('SendMessage', sendParams('more', { taskId: id }))).code).toBe(-32004);
  go.resolve();
  expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
  expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
});

it('onCancel belongs to its turn: a cancel of the next one does not call it', async () => {
  const called: string[] = [];
  const { peer } = startServer(
    agentOf((task) => {
      task.onCancel(() => void called.push(task.text));
      return task.text === 'first' ? inputRequired('more?') : hang(task);
    }),
  );
  const asked = await peer.send('first');
  await peer.send('second', { taskId: asked.id }, AT_ONCE);
  await peer.call('CancelTask', { id: asked.id });
  expect(called).toEqual(['second']);
});
