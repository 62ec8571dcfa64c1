import type { TaskContext } from 'parley-a2a';
import { TOOLS_EXTENSION } from 'parley-a2a/extensions';
import type { RunResult } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { textOfParts, textOfTask } from '../support/frames.ts';
import { type RpcPeer, sendParams, startServer, type Wire } from '../support/rpc.ts';
import { anyNumber } from '../support/schemas/small-schemas.ts';
import { agentOf, gate } from '../support/script.ts';

const DECLARED = {
  [TOOLS_EXTENSION]: {
    tools: [
      { name: 'add', description: 'Adds', inputSchema: { type: 'object' }, outputSchema: { type: 'number' } },
      { name: 'time' },
      { description: 'has no name' },
    ],
  },
};

function serve(run: (task: TaskContext) => RunResult) {
  return startServer(agentOf(run));
}

/** A send that declares the tools above; `where` = in the message's metadata, or the request's. */
async function sent(peer: RpcPeer, where: 'message' | 'request' = 'message'): Promise<Wire> {
  const params = sendParams('go', where === 'message' ? { metadata: DECLARED } : {});
  const { task } = await peer.call('SendMessage', where === 'request' ? { ...params, metadata: DECLARED } : params);
  return task;
}

const useOf = (task: Wire): Wire => task.status.message.parts.find((part: Wire) => part.data).data;
const answer = (peer: RpcPeer, task: Wire, parts: Wire[]) => peer.send('', { taskId: task.id, parts });

describe('a tool of the caller (S0.7)', () => {
  it.each(['message', 'request'] as const)('is declared in the metadata of the %s', async (where) => {
    const { peer } = serve((task) => JSON.stringify(task.tools));
    expect(JSON.parse(textOfTask(await sent(peer, where)))).toEqual([
      { name: 'add', description: 'Adds', inputSchema: { type: 'object' }, outputSchema: { type: 'number' } },
      { name: 'time', description: '' },
    ]);
  });

  it('is asked for with data, and with words for those who do not know it', async () => {
    const { peer } = serve(async (task) => `sum ${await task.tool<number>('add', { a: 1, b: 2 })}`);
    const task = await sent(peer);
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(task.status.message.extensions).toEqual([TOOLS_EXTENSION]);
    expect(textOfParts(task.status.message.parts)).toBe(
      'Please run the tool "add" with {"a":1,"b":2} and answer with its result.',
    );
    expect(useOf(task)).toEqual({ toolUseId: expect.any(String), name: 'add', args: { a: 1, b: 2 } });
    const { toolUseId } = useOf(task);
    const done = await answer(peer, task, [{ data: { toolUseId, result: 3 } }]);
    expect(textOfTask(done)).toBe('sum 3');
  });

  it.each([
    ['data', [{ data: { total: 3 } }], '{"total":3}'],
    ['JSON', [{ text: '[3]' }], '[3]'],
    ['a text', [{ text: 'three' }], '"three"'],
  ])('may be answered with %s alone', async (_, parts, got) => {
    const { peer } = serve(async (task) => JSON.stringify(await task.tool('time')));
    expect(textOfTask(await answer(peer, await sent(peer), parts))).toBe(got);
  });

  it.each([
    ['a text', 'out of order'],
    ['an object', { message: 'out of order' }],
  ])('may fail, with %s', async (_, error) => {
    const { peer } = serve(async (task) => {
      return task.tool('time').catch((caught) => `${caught.code}: ${caught.message}`) as Promise<string>;
    });
    const task = await sent(peer);
    const done = await answer(peer, task, [{ data: { toolUseId: useOf(task).toolUseId, error } }]);
    expect(textOfTask(done)).toBe('TOOL_FAILED: The tool "time" failed: out of order');
  });

  it('fails the task where nobody catches that', async () => {
    const { peer } = serve(async (task) => task.tool<string>('time'));
    const task = await sent(peer);
    const { status } = await answer(peer, task, [{ data: { toolUseId: useOf(task).toolUseId, error: 'no' } }]);
    expect([status.state, status.message.metadata]).toEqual(['TASK_STATE_FAILED', { reason: 'tool-failed' }]);
  });

  it('is checked by a schema', async () => {
    const { peer } = serve(async (task) => {
      const sum = await task.tool('add', {}, { schema: anyNumber }).catch((error) => error.message);
      return `${sum}`;
    });
    const right = await sent(peer);
    expect(textOfTask(await answer(peer, right, [{ data: { toolUseId: useOf(right).toolUseId, result: 4 } }]))).toBe(
      '4',
    );
    const wrong = await answer(peer, await sent(peer), [{ text: 'four' }]);
    expect(textOfTask(wrong)).toBe('The tool "add" gave something else than expected: result: expected a number');
  });

  it('cannot be used where the caller has not declared it', async () => {
    const { peer } = serve(async (task) => {
      return task.tool('rm').catch((error) => `${error.code}: ${error.message}`) as Promise<string>;
    });
    expect(textOfTask(await sent(peer))).toBe(
      'TOOL_NOT_DECLARED: The caller has not declared a tool "rm". It has declared: add, time',
    );
    expect(textOfTask(await peer.send('go'))).toContain('It has declared none');
  });

  it('is asked for again where the answer is for another call', async () => {
    const { peer } = serve(async (task) => JSON.stringify(await task.tool('time')));
    const first = await sent(peer);
    const second = await answer(peer, first, [{ data: { toolUseId: 'another', result: 1 } }]);
    expect(useOf(second).toolUseId).not.toBe(useOf(first).toolUseId);
    expect(textOfParts(second.status.message.parts)).toContain('it is the result of another call');
    expect(textOfTask(await answer(peer, second, [{ data: { toolUseId: useOf(second).toolUseId, result: 2 } }]))).toBe(
      '2',
    );
  });

  it('does not take what was said before for its result', async () => {
    const [working, go] = [gate(), gate()];
    const { peer } = serve(async (task) => {
      await task.status('Working');
      working.resolve();
      await go.promise;
      const time = await task.tool<string>('time');
      return `${time}, ${task.messages().take().length} waiting`;
    });
    const params = sendParams('go', { metadata: DECLARED }, { returnImmediately: true });
    const { task } = await peer.call('SendMessage', params);
    await working.promise;
    await peer.send('and hurry', { taskId: task.id }, { returnImmediately: true });
    go.resolve();
    const stream = await peer.open('SubscribeToTask', { id: task.id });
    await stream.until(({ result }) =>
      [result.task, result.statusUpdate].some((shown) => shown?.status.state === 'TASK_STATE_INPUT_REQUIRED'),
    );
    const done = await answer(peer, task, [{ text: 'noon' }]);
    expect(textOfTask(done)).toBe('noon, 1 waiting');
  });
});
