import { expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { startServer } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

it('gives the task without a wrapper, with status and artifacts [rule:get.bare]', async () => {
  const { peer } = startServer(
    agentOf(async function* (task) {
      yield `You said ${task.text}`;
      await task.artifact({ artifactId: 'second', name: 'Second' }).end('more');
    }),
  );
  const sent = await peer.send('hello', { messageId: 'm-1', contextId: 'c-1' });
  const task = await peer.call('GetTask', { id: sent.id });
  expect(violationsOfV1('Task', task)).toEqual([]);
  expect(task).toEqual({
    id: sent.id,
    contextId: 'c-1',
    status: { state: 'TASK_STATE_COMPLETED', timestamp: expect.any(String) },
    artifacts: [
      { artifactId: expect.any(String), parts: [{ text: 'You said hello' }] },
      { artifactId: 'second', name: 'Second', parts: [{ text: 'more' }] },
    ],
    history: [{ messageId: 'm-1', role: 'ROLE_USER', contextId: 'c-1', taskId: sent.id, parts: [{ text: 'hello' }] }],
  });
});

it('gives a running task as it is now [rule:get.bare]', async () => {
  const wrote = gate();
  const end = gate();
  const { peer } = startServer(
    agentOf(async (task) => {
      await task.status('Half way');
      await task.write('half');
      wrote.resolve();
      await end.promise;
    }),
  );
  const { id } = await peer.send('go', {}, { returnImmediately: true });
  await wrote.promise;
  await expect
    .poll(async () => (await peer.call('GetTask', { id })).artifacts)
    .toMatchObject([{ parts: [{ text: 'half' }] }]);
  const task = await peer.call('GetTask', { id });
  expect(task.status).toMatchObject({ state: 'TASK_STATE_WORKING', message: { parts: [{ text: 'Half way' }] } });
  end.resolve();
  await expect.poll(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
});

it.each([
  'unknown',
  '01890000-0000-7000-8000-000000000000',
  '../etc',
  '__proto__',
  'ü'.repeat(60),
])('answers the unknown id %j with TaskNotFoundError [rule:get.unknown]', async (id) => {
  const { peer } = startServer(agentOf((task) => task.text));
  await peer.send('hello');
  const error = await peer.error('GetTask', { id });
  expect(error.code).toBe(-32001);
  expect(error.data).toEqual([
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'TASK_NOT_FOUND',
      domain: 'a2a-protocol.org',
      metadata: { taskId: id },
    },
  ]);
});

it('does not know the tasks of another agent [rule:get.unknown]', async () => {
  const { peer } = startServer([agentOf((task) => task.text), agentOf((task) => task.text, { name: 'other' })]);
  const { id } = await peer.send('hello');
  expect((await peer.at('/a2a/agents/test').call('GetTask', { id })).id).toBe(id);
  expect((await peer.at('/a2a/agents/other').error('GetTask', { id })).code).toBe(-32001);
});
