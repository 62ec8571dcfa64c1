import { memory } from 'parley-a2a';
import { withStore } from 'parley-a2a/ports';
import { describe, expect, it } from 'vitest';
import { startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { SPEAKERS_MOUNTS } from '../../support/speakers.ts';

const CAUSE = new Error('the disk at 10.0.0.7 is gone, password hunter2');

/** A server whose store fails when a task is asked for. */
function start() {
  const store = withStore(memory(), { head: () => Promise.reject(CAUSE) });
  return startServer(
    agentOf(() => 'x'),
    { store, mounts: SPEAKERS_MOUNTS },
  );
}

const REQUESTS: readonly (readonly [string, string, string, string | undefined])[] = [
  ['1.0 over JSON-RPC', '/a2a', 'GetTask', '1.0'],
  ['1.0 in a stream', '/a2a', 'SubscribeToTask', '1.0'],
  ['0.3 over JSON-RPC', '/a2a', 'tasks/get', '0.3'],
  ['0.3 in a stream', '/a2a', 'tasks/resubscribe', '0.3'],
  ['the draft', '/draft', 'GetTask', undefined],
  ['JAF', '/jaf', 'tasks/get', undefined],
  ['rxjs', '/api/a2a', 'tasks/get', undefined],
  ['cogitator', '/cogitator', 'tasks/get', undefined],
];

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] };
const OLDER = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'go' }] };
const rpc = (method: string, message: unknown) => ({ jsonrpc: '2.0', id: 'r-1', method, params: { message } });
const STATUS = { error: { code: 500, status: 'INTERNAL' } };

const FORMS: readonly (readonly [string, string, object, object])[] = [
  ['JSON-RPC 1.0', '/a2a', rpc('SendMessage', MESSAGE), { error: { data: [{ reason: 'INTERNAL' }] } }],
  ['JSON-RPC 0.3', '/a2a', rpc('message/send', OLDER), {}],
  ['HTTP+JSON 1.0', '/a2a/message:send', { message: MESSAGE }, STATUS],
  ['HTTP+JSON 0.3', '/a2a/v1/message:send', { message: OLDER }, { ...STATUS, code: -32603, type: 'InternalError' }],
  ['the root', '/v1/message:send', { message: OLDER }, { error: { code: 500 } }],
  ['the draft', '/draft', rpc('SendMessage', { ...MESSAGE, role: 'user' }), {}],
  ['JAF', '/jaf', rpc('message/send', OLDER), { error: { data: { errorType: 'InternalError' } } }],
  ['rxjs', '/api/a2a', rpc('message/send', OLDER), {}],
  ['banterop', '/a2a/v1', rpc('message/send', OLDER), {}],
  ['cogitator', '/cogitator', rpc('message/send', { role: 'user', parts: [{ type: 'text', text: 'go' }] }), {}],
];

/** The log's reference is the one that the caller was told; neither tells the other's secrets. */
function expectReferred(text: string, logged: readonly Wire[]): void {
  const entries = logged.filter(({ message }) => message === 'A request failed');
  expect(entries).toHaveLength(1);
  const { reference, error } = entries[0].details;
  expect(reference).toMatch(/^[0-9a-f-]{36}$/);
  expect(error).toBe(CAUSE);
  expect(text).toContain(`Internal error. Reference: ${reference}`);
  expect(text).not.toMatch(/10\.0\.0\.7|hunter2/);
}

describe('a request that fails inside', () => {
  it.each(REQUESTS)('is told in %s with the reference that the log has', async (_, path, method, version) => {
    const { peer, logged } = start();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 'some-task' } });
    const headers = { 'content-type': 'application/json', ...(version && { 'a2a-version': version }) };
    expectReferred(await (await peer.raw(path, { method: 'POST', headers, body })).text(), logged);
  });

  it.each([
    ['1.0', '/a2a/tasks/some-task'],
    ['0.3', '/v1/tasks/some-task'],
  ])('is told in %s over HTTP+JSON', async (version, path) => {
    const { peer, logged } = start();
    const response = await peer.raw(path, { headers: { 'a2a-version': version } });
    expect(response.status).toBe(500);
    expectReferred(await response.text(), logged);
  });

  it.each(FORMS)('has the shape of %s where a stage of the server fails', async (_, path, body, shape) => {
    const perCaller = () => {
      throw CAUSE;
    };
    const { peer, logged } = startServer(
      agentOf(() => 'x'),
      { mounts: SPEAKERS_MOUNTS, limits: { perCaller }, cors: true },
    );
    const headers = { 'content-type': 'application/json', origin: 'https://page.example' };
    const response = await peer.raw(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const text = await response.text();
    expectReferred(text, logged);
    const told = 'jsonrpc' in body ? { jsonrpc: '2.0', id: 'r-1', error: { code: -32603 } } : {};
    expect(JSON.parse(text)).toMatchObject({ ...told, ...shape });
    expect(response.status).toBe('jsonrpc' in body ? 200 : 500);
  });

  it('names the reference as a fact for programs', async () => {
    const { peer, logged } = start();
    const response = await peer.raw('/a2a/tasks/some-task', { headers: { 'a2a-version': '1.0' } });
    const { error }: Wire = await response.json();
    const { reference } = logged[0].details;
    expect(error.details).toContainEqual(expect.objectContaining({ metadata: { reference } }));
  });
});
