import { A2AServer, type A2AServerOptions, defineAgent } from 'parley-a2a';
import type { SimpleAuth } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';

const calls: string[] = [];
const inner = defineAgent({ name: 'inner', description: 'Helps', version: '1.0.0', run: () => 'inner' });
const outer = defineAgent({
  name: 'outer',
  description: 'Calls another',
  version: '1.0.0',
  run: async (task) => (await task.call(inner, 'Help').task).status.state,
});

function served(auth: SimpleAuth, more: Partial<A2AServerOptions> = {}): A2AServer {
  const log = { error: (message: string) => void calls.push(message), warn: () => undefined };
  const server = new A2AServer({ agents: [outer, inner], auth, log, ...more });
  onTestFinished(() => server.close());
  return server;
}

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } },
});

function post(server: A2AServer, headers: Readonly<Record<string, string>> = {}, path = '/a2a'): Promise<Response> {
  const all = { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers };
  return server.fetch(new Request(`http://localhost${path}`, { method: 'POST', body, headers: all }));
}

const secret = (credentials: string) => Promise.resolve(credentials === 's3cret');

describe('auth: { type, validate } [seed:S3.2]', () => {
  it('lets in a bearer token that is valid, and what runs inside calls freely', async () => {
    const server = served({ type: 'bearer', validate: secret });
    const response = await post(server, { authorization: 'bearer s3cret' });
    expect(await response.json()).toMatchObject({
      result: { task: { artifacts: [{ parts: [{ text: 'completed' }] }] } },
    });
  });

  it.each([
    ['nothing', {}, 'Bearer realm="a2a"'],
    ['another scheme', { authorization: 'Basic s3cret' }, 'Bearer realm="a2a"'],
    ['an empty token', { authorization: 'Bearer ' }, 'Bearer realm="a2a"'],
    ['a wrong token', { authorization: 'Bearer other' }, 'Bearer realm="a2a", error="invalid_token"'],
  ])('answers %s with 401 and its challenge', async (_, headers, challenge) => {
    const server = served({ type: 'bearer', validate: secret });
    for (const path of ['/a2a', '/a2a/agents/inner', '/a2a/message:send', '/v1/message:send', '/nothing']) {
      const response = await post(server, headers, path);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(challenge);
    }
  });

  it.each([
    ['/a2a', { jsonrpc: '2.0', id: 1, error: { code: -32603 } }],
    ['/a2a/agents/nobody', { jsonrpc: '2.0', id: 1, error: { code: -32603 } }],
    ['/a2a/v1', { jsonrpc: '2.0', id: 1, error: { code: -32603 } }],
    ['/a2a/message:send', { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    ['/a2a/nothing', { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    ['/nothing', { error: { code: 401, status: 'UNAUTHENTICATED' } }],
  ])('refuses at %s in the shape of what is spoken there', async (path, shape) => {
    const server = served({ type: 'bearer', validate: secret });
    expect(await (await post(server, {}, path)).json()).toMatchObject(shape);
  });

  it('refuses in the numbers of the dialect that a mount speaks [seed:S1.1]', async () => {
    const server = served({ type: 'bearer', validate: secret }, { mounts: [{ path: '/jaf', dialect: 'jaf' }] });
    const response = await post(server, {}, '/jaf');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32004 } });
  });

  it('lets pages of other origins read why they were refused', async () => {
    const server = served({ type: 'bearer', validate: secret }, { cors: true });
    const response = await post(server, { origin: 'https://app.example.com' });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('www-authenticate');
  });

  it('takes an API key', async () => {
    const server = served({ type: 'apiKey', validate: secret });
    expect((await post(server, { 'x-api-key': 's3cret' })).status).toBe(200);
    expect((await post(server, { 'x-api-key': 'other' })).status).toBe(401);
    const missing = await post(server, { authorization: 'Bearer s3cret' });
    expect(missing.headers.get('www-authenticate')).toBe('ApiKey realm="a2a", header="X-API-Key"');
  });

  it('leaves cards, the list of agents and signs of life to everybody, and nothing else [seed:S1.1]', async () => {
    const server = served({ type: 'bearer', validate: secret });
    const get = async (path: string) => (await server.fetch(new Request(`http://localhost${path}`))).status;
    for (const path of [
      '/.well-known/agent-card.json',
      '/.well-known/agent-card',
      '/.well-known/agent.json',
      '/a2a/agents',
      '/a2a/agents/',
      '/a2a/agents/inner',
      '/a2a/agents/inner/card',
      '/a2a/agents/inner/.well-known/agent-card.json',
      '/api/a2a/.well-known/agent-card.json',
      '/healthz',
      '/readyz',
      '/a2a/health',
      '/',
    ]) {
      expect([path, await get(path)]).toEqual([path, 200]);
    }
    expect(await get('/a2a/agents/nobody/card')).toBe(404);
    for (const path of [
      '/a2a/tasks',
      '/a2a/agents/inner/tasks',
      '/a2a/extendedAgentCard',
      '/v1/card',
      '/a2a/tasks/health',
      '/a2a/tasks/1?x=/.well-known/agent.json',
      '/a2a',
      '/nothing',
    ]) {
      expect(await get(path)).toBe(401);
    }
  });

  it('does not let anybody in where the check itself fails', async () => {
    const server = served({ type: 'bearer', validate: () => Promise.reject(new Error('no database')) });
    const response = await post(server, { authorization: 'Bearer s3cret' });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('database');
    expect(calls).toContain('The check of a credential failed');
    const lenient = served({ type: 'bearer', validate: () => Promise.resolve('yes' as unknown as boolean) });
    expect((await post(lenient, { authorization: 'Bearer s3cret' })).status).toBe(401);
  });

  it('does not ask whoever holds the server', async () => {
    const server = served({ type: 'bearer', validate: secret });
    const response = await server.handleJsonRpc(JSON.parse(body), { headers: { 'a2a-version': '1.0' } });
    expect(response.error).toBeUndefined();
  });
});
