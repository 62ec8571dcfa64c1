import type { A2AServerOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { httpPost } from '../../support/http/http.ts';
import { type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const start = (options: Partial<A2AServerOptions> = {}) =>
  startServer(
    agentOf((task) => task.text),
    options,
  );

const envelope = (method: string, params: Wire = {}) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

/** A request with just these headers. */
async function plain(peer: RpcPeer, method: string, params: Wire, headers: Record<string, string> = {}): Promise<Wire> {
  return (await peer.post(envelope(method, params), headers)).json();
}

describe('the version of a request', () => {
  it.each([
    ['missing', {}],
    ['empty', { 'a2a-version': '' }],
    ['blank', { 'a2a-version': '  ' }],
  ])('is 0.3 where the header is %s [rule:version.missing-is-03]', async (_, headers) => {
    const { peer } = start({ inferVersion: false });
    const task = await peer.send('hello');
    const served = await plain(peer, 'tasks/get', { id: task.id }, headers);
    expect(served.result).toMatchObject({ kind: 'task', id: task.id, status: { state: 'completed' } });
    const refused = await plain(peer, 'GetTask', { id: task.id }, headers);
    expect(refused).not.toHaveProperty('result');
    expect(refused.error).toMatchObject({
      code: -32009,
      data: [{ reason: 'VERSION_NOT_SUPPORTED', metadata: { requested: '0.3' } }],
    });
  });

  it.each([
    '99.0',
    '2.0',
    '1.1',
    '0.9',
    '1',
    'v1.0',
    '1.x',
    'latest',
    '1.0-beta',
    '1.0.0.0',
    '1,0',
    '1.0.x',
  ])('is not supported if it is %s [rule:version.unsupported]', async (version) => {
    const { peer } = start();
    const task = await peer.send('hello');
    for (const method of ['GetTask', 'SendMessage', 'SendStreamingMessage', 'ListTasks', 'NoSuchMethod']) {
      const params = { ...sendParams('hello'), id: task.id };
      const error = await peer.error(method, params, { 'a2a-version': version });
      expect(error.code, method).toBe(-32009);
      expect(error.data[0].reason).toBe('VERSION_NOT_SUPPORTED');
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(1);
  });

  it.each([
    '1.0.0',
    '1.0.1',
    '1.0.99',
    ' 1.0 ',
  ])('counts without its patch: %s is 1.0 [rule:version.patch-ignored]', async (version) => {
    const { peer } = start({ inferVersion: false });
    const task = await peer.send('hello', {}, undefined, { 'a2a-version': version });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await peer.call('GetTask', { id: task.id }, { 'a2a-version': '1.0' })).toEqual(task);
  });

  it('may come as a query parameter; the header wins [rule:version.query-parameter]', async () => {
    const { peer } = start({ inferVersion: false });
    const { id } = await peer.send('hello');
    const at = (query: string, headers?: Record<string, string>) =>
      plain(peer.at(`/a2a${query}`), 'GetTask', { id }, headers);
    expect((await at('?A2A-Version=1.0')).result.id).toBe(id);
    expect((await at('?x=1&A2A-Version=1.0.1')).result.id).toBe(id);
    expect((await at('?A2A-Version=99.0')).error.code).toBe(-32009);
    expect((await at('?A2A-Version=99.0', { 'a2a-version': '1.0' })).result.id).toBe(id);
    expect((await at('?A2A-Version=1.0', { 'a2a-version': '99.0' })).error.code).toBe(-32009);
    expect((await at('?A2A-Version=')).error.code).toBe(-32009);
  });

  it('is read whatever the case of the header, over a socket [rule:version.header-case]', async () => {
    const { server, peer } = start({ inferVersion: false });
    const { id } = await peer.send('hello');
    await server.listen({ port: 0 });
    for (const name of ['A2A-Version', 'a2a-version', 'A2A-VERSION', 'a2A-vErSiOn']) {
      const call = async (version: string): Promise<Wire> => {
        const headers = { 'Content-Type': 'application/json', [name]: version };
        return JSON.parse((await httpPost(`${server.url}/a2a`, headers, envelope('GetTask', { id }))).body);
      };
      expect((await call('1.0')).result.id, name).toBe(id);
      expect((await call('99.0')).error.code, name).toBe(-32009);
    }
  });

  it('is read whatever the case of the query parameter [rule:version.header-case]', async () => {
    const { peer } = start({ inferVersion: false });
    const { id } = await peer.send('hello');
    for (const name of ['a2a-version', 'A2A-VERSION']) {
      expect((await plain(peer.at(`/a2a?${name}=1.0`), 'GetTask', { id })).result?.id, name).toBe(id);
      expect((await plain(peer.at(`/a2a?${name}=99.0`), 'GetTask', { id })).error.code, name).toBe(-32009);
    }
  });
});

describe('the answer', () => {
  it('has the shape and the behaviour of the version that was asked for [rule:version.semantics]', async () => {
    const { peer } = start();
    const sent = await peer.call('SendMessage', sendParams('hello'), { 'a2a-version': '1.0' });
    expect(Object.keys(sent)).toEqual(['task']);
    expect(violationsOfV1('SendMessageResponse', sent)).toEqual([]);
    expect(sent.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(JSON.stringify(sent)).not.toMatch(/"(kind|final)":/);
    const frames = await peer.stream('SendStreamingMessage', sendParams('hello'), { 'a2a-version': '1.0' });
    for (const { result } of frames) expect(violationsOfV1('StreamResponse', result)).toEqual([]);
    expect((await peer.error('SubscribeToTask', { id: sent.task.id })).code).toBe(-32004);
  });

  it('has the shape and the behaviour of 0.3 where that was asked for [rule:version.semantics]', async () => {
    const { peer } = start();
    const message = { messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] };
    for (const version of ['0.3', '0.3.0']) {
      const task = await peer.call('message/send', { message }, { 'a2a-version': version });
      expect(Object.keys(task)[0]).toBe('kind');
      expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    }
  });

  it.each([
    'SendMessage',
    'GetTask',
    'ListTasks',
  ])('does not know a method of 1.0 under a 0.3 header: %s [rule:version.header-over-method]', async (method) => {
    const { peer } = start();
    expect((await peer.error(method, sendParams('hello'), { 'a2a-version': '0.3' })).code).toBe(-32601);
  });

  it('names the supported versions in the shape of the newest one [rule:version.error-shape]', async () => {
    const { peer } = start();
    const response = await peer.respond('SendMessage', sendParams('hello'), { 'a2a-version': '99.0' });
    expect(Object.keys(response).sort()).toEqual(['error', 'id', 'jsonrpc']);
    const { code, message, data } = response.error;
    expect(code).toBe(-32009);
    expect(message).toContain('1.0');
    expect(data).toHaveLength(1);
    expect(violationsOfV1('ErrorInfo', data[0])).toEqual([]);
    expect(data[0]).toMatchObject({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'VERSION_NOT_SUPPORTED',
      domain: 'a2a-protocol.org',
    });
    expect(Object.values(data[0].metadata).join(' ')).toContain('1.0');
  });

  it('quotes no more of a long version than it must [rule:version.error-shape]', async () => {
    const { peer } = start();
    const error = await peer.error('GetTask', { id: 'x' }, { 'a2a-version': '9'.repeat(4000) });
    expect(error.code).toBe(-32009);
    expect(JSON.stringify(error).length).toBeLessThan(500);
  });

  it('writes no patch number, neither in headers nor on the card [rule:version.no-patch]', async () => {
    const { peer } = start();
    const response = await peer.request('SendMessage', sendParams('hello'), { 'a2a-version': '1.0.1' });
    expect(response.headers.get('a2a-version') ?? '1.0').toMatch(/^\d+\.\d+$/);
    const card: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
    for (const entry of card.supportedInterfaces) expect(entry.protocolVersion).toMatch(/^\d+\.\d+$/);
  });
});

describe('a method', () => {
  it('in PascalCase with ROLE_* and no header is 1.0 where the server is lenient [rule:version.detect-lenient]', async () => {
    const { peer } = start();
    const response = await plain(peer, 'SendMessage', sendParams('hello'));
    expect(violationsOfV1('SendMessageResponse', response.result)).toEqual([]);
    expect((await plain(peer, 'GetTask', { id: response.result.task.id })).result).toEqual(response.result.task);
  });

  it('in PascalCase without a header is a well-formed error where it is not [rule:version.detect-lenient]', async () => {
    const { peer } = start({ inferVersion: false });
    const response = await peer.post(envelope('SendMessage', sendParams('hello')));
    expect(response.status).toBe(200);
    const body: Wire = await response.json();
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32009 } });
    expect(body.error.message).toContain('1.0');
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });

  it.each([
    'message/send',
    'message/stream',
    'tasks/get',
    'tasks/cancel',
    'tasks/resubscribe',
    'tasks/pushNotificationConfig/set',
    'agent/getAuthenticatedExtendedCard',
  ])('of 0.3 under a 1.0 header is not found: %s [rule:version.header-over-method]', async (method) => {
    const { peer } = start();
    expect((await peer.error(method, sendParams('hello'), { 'a2a-version': '1.0' })).code).toBe(-32601);
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });
});
