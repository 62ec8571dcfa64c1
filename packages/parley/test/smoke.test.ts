import { expect, it } from 'vitest';
import { sendParams, startServer } from './support/rpc.ts';
import { agentOf } from './support/script.ts';

it('answers a message with the finished task', async () => {
  const { peer } = startServer(
    agentOf(async function* (task) {
      yield 'Hello, ';
      yield `${task.text}!`;
    }),
  );
  const task = await peer.send('world');
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(task.artifacts).toHaveLength(1);
  expect(task.artifacts[0].parts).toEqual([{ text: 'Hello, world!' }]);
  expect(await peer.call('GetTask', { id: task.id })).toEqual(task);
});

it('streams the task, its updates and the end', async () => {
  const { peer } = startServer(
    agentOf(async function* () {
      yield 'a';
      yield 'b';
    }),
  );
  const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
  expect(frames.map((frame) => frame.id)).toEqual([2, 3, 4, 5, 6]);
  expect(frames.map((frame) => Object.keys(frame.result)[0])).toEqual([
    'task',
    'statusUpdate',
    'artifactUpdate',
    'artifactUpdate',
    'statusUpdate',
  ]);
});
