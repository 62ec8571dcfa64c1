import type { A2AServerOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const start = (options: Partial<A2AServerOptions> = {}) =>
  startServer(
    agentOf((task) => task.text),
    options,
  );

const V1 = { 'a2a-version': '1.0' };

/** Posts a body and gives the JSON-RPC response, which must be well-formed. */
async function post(peer: RpcPeer, body: string, headers: Record<string, string> = {}, status = 200): Promise<Wire> {
  const response = await peer.post(body, { ...V1, ...headers });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json(;|$)/);
  const answer: Wire = await response.json();
  expect(Object.keys(answer).sort()).toEqual(
    'error' in answer ? ['error', 'id', 'jsonrpc'] : ['id', 'jsonrpc', 'result'],
  );
  expect(answer.jsonrpc).toBe('2.0');
  return answer;
}

const postJson = (peer: RpcPeer, body: Wire) => post(peer, JSON.stringify(body));

const METHODS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
];

describe('transport', () => {
  it('takes POSTs of application/json and answers in kind [rule:jsonrpc.content-type]', async () => {
    const { peer } = start();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks' });
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      expect((await post(peer, body, { 'content-type': type })).result.tasks, type).toEqual([]);
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await peer.raw('/a2a', { method, headers: V1 });
      expect(refused.status, method).toBe(405);
      expect(refused.headers.get('allow'), method).toBe('POST');
    }
  });

  it('lets a body without a content type through [rule:jsonrpc.wrong-type]', async () => {
    const { peer } = start();
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks' }));
    const response = await peer.raw('/a2a', { method: 'POST', body, headers: V1 });
    expect(await response.json()).toHaveProperty('result.tasks', []);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'text/json',
    'application/a2a+json',
  ])('refuses a body of %s before it is parsed [rule:jsonrpc.wrong-type] [rule:jsonrpc.http-status]', async (type) => {
    const { peer } = start();
    const send = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('hello') });
    for (const body of ['this is not JSON', send]) {
      const { id, error } = await post(peer, body, { 'content-type': type }, 415);
      expect([id, error.code, error.data[0].reason]).toEqual([null, -32005, 'CONTENT_TYPE_NOT_SUPPORTED']);
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });

  it('answers with and without a trailing slash, without a redirect [rule:rest.slash]', async () => {
    const { peer } = start();
    for (const path of ['/a2a', '/a2a/', '/a2a/agents/test', '/a2a/agents/test/']) {
      expect((await postJson(peer.at(path), { jsonrpc: '2.0', id: 1, method: 'ListTasks' })).result.tasks).toEqual([]);
    }
  });

  it('sends errors of the protocol with HTTP 200 [rule:jsonrpc.http-status]', async () => {
    const { peer } = start();
    const requests: [string, Wire][] = [
      ['GetTask', { id: 'unknown' }],
      ['GetTask', {}],
      ['NoSuchMethod', {}],
      ['CreateTaskPushNotificationConfig', { taskId: 'unknown', url: 'https://example.com' }],
      ['SubscribeToTask', { id: 'unknown' }],
    ];
    for (const [method, params] of requests) {
      const response = await peer.request(method, params);
      expect(response.status, method).toBe(200);
      expect(await response.json(), method).toHaveProperty('error.code');
    }
    expect([200, 400]).toContain((await peer.post('{', V1)).status);
  });
});

describe('the envelope', () => {
  it.each([
    ['no version', { id: 5, method: 'ListTasks' }],
    ['version 1.0', { jsonrpc: '1.0', id: 5, method: 'ListTasks' }],
    ['version 2', { jsonrpc: '2', id: 5, method: 'ListTasks' }],
    ['a number for a version', { jsonrpc: 2.0, id: 5, method: 'ListTasks' }],
    ['version null', { jsonrpc: null, id: 5, method: 'ListTasks' }],
    ['no method', { jsonrpc: '2.0', id: 5 }],
    ['a null method', { jsonrpc: '2.0', id: 5, method: null }],
    ['a number for a method', { jsonrpc: '2.0', id: 5, method: 17 }],
    ['an object for a method', { jsonrpc: '2.0', id: 5, method: { name: 'ListTasks' } }],
  ])('with %s gives -32600 and the id [rule:jsonrpc.envelope]', async (_, body) => {
    const { peer } = start();
    const { id, error } = await postJson(peer, body);
    expect([id, error.code]).toEqual([5, -32600]);
  });

  it.each([
    [true],
    [false],
    [{}],
    [{ id: 1 }],
    [[1]],
  ])('with the id %j gives -32600 [rule:jsonrpc.envelope]', async (bad) => {
    const { peer } = start();
    const { id, error } = await postJson(peer, { jsonrpc: '2.0', id: bad, method: 'ListTasks' });
    expect([id, error.code]).toEqual([null, -32600]);
  });

  it.each([['null'], ['true'], ['17'], ['"ListTasks"']])('of %s gives -32600 [rule:jsonrpc.envelope]', async (body) => {
    const { peer } = start();
    const { id, error } = await post(peer, body);
    expect([id, error.code]).toEqual([null, -32600]);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['words', 'give me the tasks'],
    ['half an object', '{"jsonrpc":"2.0","id":1,"method":"ListTasks"'],
    ['a trailing comma', '{"jsonrpc":"2.0","id":1,"method":"ListTasks",}'],
    ['two objects', '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}{}'],
    ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"ListTasks"}'],
    ['a form', 'jsonrpc=2.0&method=ListTasks'],
  ])('of %s is not JSON: -32700 with id null [rule:jsonrpc.parse]', async (_, body) => {
    const { peer } = start();
    const { id, error } = await post(peer, body);
    expect([id, error.code]).toEqual([null, -32700]);
  });

  it('in broken UTF-8 is not JSON [rule:jsonrpc.parse]', async () => {
    const { peer } = start();
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: { contextId: '?' } });
    const body = new TextEncoder().encode(text).map((byte) => (byte === 0x3f ? 0xff : byte));
    const headers = { ...V1, 'content-type': 'application/json' };
    const response = await peer.raw('/a2a', { method: 'POST', body, headers });
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('of a batch gives -32600, whatever is in it [rule:jsonrpc.batch]', async () => {
    const { peer } = start();
    const request = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('hello') };
    for (const batch of [[], [request], [request, request], [1]]) {
      const { id, error } = await postJson(peer, batch);
      expect([id, error.code]).toEqual([null, -32600]);
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });
});

describe('the method', () => {
  it.each(METHODS)('%s is known [rule:jsonrpc.methods]', async (method) => {
    const { peer } = start();
    const response = await peer.request(method, {});
    const answer: Wire = await response.json();
    expect(answer.error?.code).not.toBe(-32601);
  });

  it.each([
    'sendMessage',
    'sendmessage',
    'SENDMESSAGE',
    ' SendMessage',
    'SendMessage ',
    'message/send',
    'a2a.SendMessage',
    'DropTable',
    'toString',
    '__proto__',
    'constructor',
  ])('%j is unknown: -32601 [rule:jsonrpc.methods]', async (method) => {
    const { peer } = start();
    const { id, error } = await postJson(peer, { jsonrpc: '2.0', id: 9, method, params: sendParams('hello') });
    expect([id, error.code]).toEqual([9, -32601]);
  });
});

describe('params', () => {
  it.each(
    METHODS.filter((method) => !/Push|Extended/.test(method)),
  )('of %s must be an object: -32602 [rule:jsonrpc.params]', async (method) => {
    const { peer } = start();
    for (const params of [[], [{ id: 'x' }], 'x', 17, true]) {
      const { id, error } = await postJson(peer, { jsonrpc: '2.0', id: 3, method, params });
      expect([id, error.code], JSON.stringify(params)).toEqual([3, -32602]);
    }
  });

  it.each<[string, Wire]>([
    ['GetTask', undefined],
    ['GetTask', {}],
    ['GetTask', { id: '' }],
    ['GetTask', { id: 17 }],
    ['GetTask', { id: ['a'] }],
    ['CancelTask', {}],
    ['SubscribeToTask', {}],
    ['SendMessage', {}],
    ['SendStreamingMessage', { message: 'hello' }],
    ['ListTasks', { pageSize: 'many' }],
    ['ListTasks', { includeArtifacts: 'yes' }],
    ['ListTasks', { tenant: 5 }],
  ])('of %s that are wrong give -32602: %j [rule:jsonrpc.params]', async (method, params) => {
    const { peer } = start();
    const { id, error } = await postJson(peer, { jsonrpc: '2.0', id: 3, method, params });
    expect([id, error.code]).toEqual([3, -32602]);
  });

  it('may be left out of GetExtendedAgentCard and ListTasks [rule:jsonrpc.params]', async () => {
    const { peer } = startServer(agentOf((task) => task.text, { extendedCard: true }));
    for (const params of [undefined, null, {}]) {
      const body = { jsonrpc: '2.0', id: 1, params };
      expect((await postJson(peer, { ...body, method: 'GetExtendedAgentCard' })).error.code).toBe(-32007);
      expect((await postJson(peer, { ...body, method: 'ListTasks' })).result.tasks).toEqual([]);
    }
  });
});
