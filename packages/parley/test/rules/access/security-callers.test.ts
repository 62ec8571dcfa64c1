import { inputRequired, isTask } from 'parley-a2a';
import { expect, it } from 'vitest';
import { otherCaller, sharedNodes } from '../../support/other-caller.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** A server for anonymous callers, and a caller with a name who uses the same agent, store and bus. */
async function start() {
  const agent = agentOf((task) => (task.text === 'done' ? 'done' : inputRequired(`${task.user.subject || 'nobody'}?`)));
  const nodes = sharedNodes();
  const { peer } = startServer(agent, nodes);
  const ann = await otherCaller(agent, nodes);
  const annsTask = async (...args: Parameters<typeof ann.send>) => {
    const answer = await ann.send(...args);
    if (!isTask(answer)) throw new Error('no task');
    return answer;
  };
  return { peer, annsTask };
}

it.each([
  'hello',
  'done',
])('uses no task of another caller, running or ended: %s [rule:security.authorize] [rule:security.indistinguishable]', async (word) => {
  const { peer, annsTask } = await start();
  const { id, contextId, status } = await annsTask(word);
  const calls: [string, (id: string) => Wire][] = [
    ['GetTask', (task) => ({ id: task })],
    ['CancelTask', (task) => ({ id: task })],
    ['SubscribeToTask', (task) => ({ id: task })],
    ['SendMessage', (task) => sendParams('x', { taskId: task })],
    ['SendMessage', (task) => sendParams('x', { taskId: task, contextId })],
    ['SendStreamingMessage', (task) => sendParams('x', { taskId: task })],
  ];
  const unknown = '01890000-0000-7000-8000-000000000000';
  for (const [method, params] of calls) {
    const foreign = await peer.error(method, params(id));
    expect([foreign.code, foreign.data[0].reason], method).toEqual([-32001, 'TASK_NOT_FOUND']);
    const missing = await peer.error(method, params(unknown));
    expect(JSON.stringify(foreign).replaceAll(id, unknown), method).toBe(JSON.stringify(missing));
  }
  const resumed = await peer.error('SubscribeToTask', { id }, { 'last-event-id': '1' });
  expect(resumed.code).toBe(-32001);
  if (word === 'done') return;
  const after = await annsTask('done', { taskId: id });
  expect([status.state, after.status.state]).toEqual(['input-required', 'completed']);
  expect(after.history.map((message) => message.role)).toEqual(['user', 'agent', 'user']);
});

it('lists no task of another caller, with and without filters [rule:list.scope]', async () => {
  const { peer, annsTask } = await start();
  const { contextId } = await annsTask('hello');
  await annsTask('done');
  const mine = await peer.send('hello');
  for (const filter of [
    {},
    { status: 'TASK_STATE_INPUT_REQUIRED' },
    { statusTimestampAfter: '2020-01-01T00:00:00Z' },
  ]) {
    const page = await peer.call('ListTasks', filter);
    expect([page.tasks.map((task: Wire) => task.id), page.totalSize]).toEqual([[mine.id], 1]);
  }
  expect(await peer.call('ListTasks', { contextId })).toMatchObject({ tasks: [], totalSize: 0 });
});

it('keeps tasks, contexts and keys for their owner, and anonymous is one of them [rule:security.owner]', async () => {
  const { peer, annsTask } = await start();
  const anns = await annsTask('hello', { messageId: 'm-1' }, 'key-1');
  expect((await annsTask('hello', { messageId: 'm-1' }, 'key-1')).id).toBe(anns.id);

  // The same key of somebody else is another key.
  const key = { 'idempotency-key': 'key-1' };
  const mine = await peer.send('hello', { messageId: 'm-1' }, undefined, key);
  expect(mine.id).not.toBe(anns.id);
  expect(mine.status.message.parts).toEqual([{ text: 'nobody?' }]);

  // A context of somebody else is a new one, with the same id.
  const fresh = await peer.send('hello', { contextId: anns.contextId });
  expect(fresh.contextId).toBe(anns.contextId);
  expect((await peer.call('ListTasks', { contextId: anns.contextId })).tasks.map((task: Wire) => task.id)).toEqual([
    fresh.id,
  ]);
  expect((await peer.send('hello', { contextId: mine.contextId })).contextId).toBe(mine.contextId);

  // All who have no name are one caller.
  const stranger = { 'user-agent': 'somebody-else/1.0', 'x-forwarded-for': '203.0.113.9' };
  expect((await peer.call('GetTask', { id: mine.id }, stranger)).id).toBe(mine.id);
  expect((await peer.send('done', { taskId: mine.id }, undefined, stranger)).status.state).toBe('TASK_STATE_COMPLETED');
});
