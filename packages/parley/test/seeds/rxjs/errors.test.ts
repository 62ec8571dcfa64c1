import { A2AClient } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { allOf, artifactText, call, message, post, start } from './document-agent.ts';

describe('errors at /api/a2a', () => {
  it('are HTTP 400 for what is no JSON-RPC (S0.5)', async () => {
    const url = await start();
    const invalid = [
      { id: 1, method: 'message/send' },
      { jsonrpc: '2.0', id: 1 },
      { jsonrpc: '2.0', method: 'message/send' },
    ];
    for (const body of invalid) {
      const response = await post(url, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        jsonrpc: '2.0',
        id: body.id ?? null,
        error: { code: -32600, message: 'Invalid Request', data: { reason: 'Must be valid JSON-RPC 2.0' } },
      });
    }
    const broken = await post(url, '{');
    expect([broken.status, ((await broken.json()) as Wire).error.code]).toEqual([400, -32700]);
  });

  it('have the numbers of the document’s table (S0.10)', async () => {
    const url = await start();
    const errorOf = async (method: string, params: object) => {
      const response = await call(url, method, params);
      expect(response.status).toBe(200);
      return ((await response.json()) as Wire).error;
    };
    expect(await errorOf('message/sned', {})).toEqual({
      code: -32601,
      message: 'Method not found',
      data: { method: 'message/sned' },
    });
    const odd = 'tasks. A2A 0.3\nget';
    expect((await errorOf(odd, {})).data).toEqual({ method: odd.replace('\n', '?') });
    expect(await errorOf('message/stream', { message: { role: 'user' } })).toMatchObject({
      code: -32602,
      message: 'Invalid params',
      data: { reason: expect.stringContaining("message.kind must be 'message'") },
    });
    expect(await errorOf('tasks/get', { id: 'task-999' })).toEqual({
      code: -32004,
      message: 'Task not found',
      data: { taskId: 'task-999' },
    });
  });

  it('come as a frame where a stream was asked for, as the document shows it (S0.5) (S0.8)', async () => {
    expect(await allOf(await call(await start(), 'tasks/get', { taskId: 'task-999' }))).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32004, message: 'Task not found', data: { taskId: 'task-999' } } },
    ]);
  });

  it('end the stream of an agent that throws, and leak nothing internal (S0.5)', async () => {
    const url = await start();
    const frames = await allOf(await call(url, 'message/stream', message('fail')));
    expect(artifactText(frames)).toBe('half ');
    expect(frames.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error', data: { error: expect.stringContaining('The agent failed') } },
    });
    expect(JSON.stringify(frames)).not.toContain('secret inner text');
    const got: Wire = await (await call(url, 'tasks/get', { id: frames[0].result.id })).json();
    expect(got.result.status.state).toBe('failed');

    const client = new A2AClient(url, { protocol: 'rxjs', rpcPath: '' });
    expect(await client.sendMessageStream('fail').task).toMatchObject({ status: { state: 'failed' } });
    await expect(client.sendMessage('more', { taskId: frames[0].result.id })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('already failed'),
    });
  });

  it('take any id that is there, null as well (S0.5)', async () => {
    const body = { jsonrpc: '2.0', id: null, method: 'tasks/get', params: { id: 'task-999' } };
    const response = await post(await start(), body);
    expect([response.status, await response.json()]).toMatchObject([200, { id: null, error: { code: -32004 } }]);
  });
});
