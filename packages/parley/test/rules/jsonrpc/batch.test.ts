import { isA2AError } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { parseJsonRpcRequest } from '../../../src/bindings/jsonrpc/envelope.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const request = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: '2.0', id, method, params });

describe('a batch', () => {
  const batch = [
    request('a', 'SendMessage', sendParams('one')),
    request(2, 'ListTasks', {}),
    request(3, 'tasks/get', { id: 'none' }),
    request(4, 'SendStreamingMessage', sendParams('two')),
    { jsonrpc: '1.0', id: 5, method: 'ListTasks' },
    'nonsense',
  ];

  it('is an invalid request (S3.3) [rule:jsonrpc.batch]', async () => {
    const { peer } = startServer(agentOf(() => 'ok'));
    for (const body of [batch, [], [batch[1]]]) {
      const response = await peer.post(JSON.stringify(body));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });

  it('is answered one by one where the setting allows it (S3.3)', async () => {
    const { peer } = startServer(
      agentOf(() => 'ok'),
      { jsonRpcBatches: true },
    );
    const answers: Wire[] = (await (await peer.post(JSON.stringify(batch))).json()) as Wire[];
    expect(answers.map((answer) => answer.id)).toEqual(['a', 2, 3, 4, 5, null]);
    expect(answers[0].result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(answers[1].result).toHaveProperty('tasks');
    expect(answers.slice(2).map((answer) => answer.error.code)).toEqual([-32001, -32600, -32600, -32600]);
    const tooMany = Array.from({ length: 101 }, (_, index) => request(index, 'ListTasks', {}));
    for (const body of [[], tooMany]) {
      expect(await (await peer.post(JSON.stringify(body))).json()).toMatchObject({ id: null, error: { code: -32600 } });
    }
  });
});

describe('parseJsonRpcRequest', () => {
  it('takes single requests and arrays, as text or parsed (S3.3)', () => {
    const single = request(1, 'GetTask', { id: 't' });
    expect(parseJsonRpcRequest(single)).toEqual(single);
    expect(parseJsonRpcRequest(JSON.stringify(single))).toEqual(single);
    expect(parseJsonRpcRequest([single, request('x', 'ListTasks')])).toEqual([single, request('x', 'ListTasks')]);
    expect(parseJsonRpcRequest({ jsonrpc: '2.0', method: 'ListTasks' })).toMatchObject({ id: null });
  });

  it.each([
    ['{', 'PARSE_ERROR'],
    [undefined, 'PARSE_ERROR'],
    ['', 'PARSE_ERROR'],
    [null, 'INVALID_REQUEST'],
    [5, 'INVALID_REQUEST'],
    [[], 'INVALID_REQUEST'],
    [[5], 'INVALID_REQUEST'],
    [{}, 'INVALID_REQUEST'],
    [{ jsonrpc: '2.0', id: 1 }, 'INVALID_REQUEST'],
    [{ jsonrpc: '2.0', id: {}, method: 'x' }, 'INVALID_REQUEST'],
    [{ jsonrpc: 2, id: 1, method: 'x' }, 'INVALID_REQUEST'],
    [{ jsonrpc: '2.0', id: 1, method: 7 }, 'INVALID_REQUEST'],
  ])('throws what is wrong with %j (S3.3)', (body, code) => {
    let thrown: unknown;
    try {
      parseJsonRpcRequest(body);
    } catch (error) {
      thrown = error;
    }
    expect(isA2AError(thrown) && thrown.code).toBe(code);
  });
});
