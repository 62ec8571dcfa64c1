import { memory } from 'parley-a2a';
import { apiKeys, hashKey } from 'parley-a2a/auth';
import { withStore } from 'parley-a2a/ports';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const ADA = { 'x-api-key': 'a-key-of-ada-that-is-long-enough' };
const BOB = { 'x-api-key': 'a-key-of-bob-that-is-long-enough' };

async function keysOf() {
  return apiKeys({
    keys: [
      { id: 'a', hash: await hashKey(ADA['x-api-key']), subject: 'ada', scopes: ['report:read'] },
      { id: 'b', hash: await hashKey(BOB['x-api-key']), subject: 'bob' },
    ],
  });
}

const teller = agentOf(({ user }) => JSON.stringify(user));

function send(text: string, message: object = {}) {
  return { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...message } };
}

async function sent(peer: RpcPeer, headers: Readonly<Record<string, string>>): Promise<Wire> {
  return (await peer.respond('SendMessage', send('hello'), headers)).result.task;
}

describe('a server with API keys', () => {
  it('tells the agent who calls, and owns the task by it', async () => {
    const store = memory();
    const { peer } = startServer(teller, { auth: [await keysOf()], store });
    const task = await sent(peer, ADA);
    expect(JSON.parse(task.artifacts[0].parts[0].text)).toEqual({
      subject: 'ada',
      tenant: '',
      scopes: ['report:read'],
      claims: { keyId: 'a' },
    });
    expect((await store.head(task.id))?.owner).toEqual({ tenant: '', subject: 'ada' });
  });

  it('names the caller in the log where a request fails', async () => {
    const store = withStore(memory(), { list: () => Promise.reject(new Error('no disk')) });
    const { peer, logged } = startServer(teller, { auth: [await keysOf()], store });
    expect((await peer.respond('ListTasks', {}, ADA)).error.code).toBe(-32603);
    expect(logged).toContainEqual({ message: 'A request failed', details: expect.objectContaining({ caller: 'ada' }) });
  });

  it('takes one authenticator without a list', async () => {
    const { peer } = startServer(teller, { auth: await keysOf() });
    expect((await sent(peer, BOB)).artifacts[0].parts[0].text).toContain('"subject":"bob"');
  });

  it('keeps the tasks of two keys apart', async () => {
    const { peer } = startServer(teller, { auth: [await keysOf()] });
    const { id } = await sent(peer, ADA);
    const foreign = await peer.respond('GetTask', { id }, BOB);
    const unknown = await peer.respond('GetTask', { id: 'never-was' }, BOB);
    expect(JSON.stringify(foreign.error).replaceAll(id, 'ID')).toBe(
      JSON.stringify(unknown.error).replaceAll('never-was', 'ID'),
    );
    expect((await peer.respond('ListTasks', {}, BOB)).result.tasks).toEqual([]);
    expect((await peer.respond('ListTasks', {}, ADA)).result.tasks).toHaveLength(1);
    expect((await peer.respond('CancelTask', { id }, BOB)).error.data[0].reason).toBe('TASK_NOT_FOUND');
    expect((await peer.respond('SendMessage', send('more', { taskId: id }), BOB)).error.data[0].reason).toBe(
      'TASK_NOT_FOUND',
    );
  });

  it('declares them on the card, in each version', async () => {
    const { peer } = startServer(teller, { auth: [await keysOf()], card: '1.0' });
    const card = async (path: string, version = '1.0'): Promise<Wire> =>
      (await peer.raw(path, { headers: { 'a2a-version': version } })).json();
    expect(await card('/.well-known/agent-card.json')).toMatchObject({
      securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
      securityRequirements: [{ schemes: { apiKey: {} } }],
    });
    expect(await card('/.well-known/agent-card.json', '0.3')).toMatchObject({
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      security: [{ apiKey: [] }],
    });
    const jaf: Wire = await (await peer.raw('/.well-known/agent-card')).json();
    expect(jaf.authentication).toEqual({ required: true, schemes: ['apikey'] });
  });

  it.each([
    ['none', {}, 'ApiKey realm="a2a", header="X-API-Key"'],
    ['a wrong one', { 'x-api-key': 'guessed' }, 'ApiKey realm="a2a", header="X-API-Key", error="invalid_token"'],
  ])('asks a caller with %s for a key, in the shape of the binding', async (_, headers: Record<
    string,
    string
  >, challenge) => {
    const { peer } = startServer(teller, { auth: [await keysOf()] });
    const refused = await peer.request('SendMessage', send('hello'), headers);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    const rest = await peer.raw('/a2a/tasks', { headers: { 'a2a-version': '1.0', ...headers } });
    expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(await rest.json()).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } });
  });

  it('has no id in the refusal of a body that was not read', async () => {
    const { peer } = startServer(teller, { auth: [await keysOf()], limits: { bodyBytes: 100 } });
    const refused = await peer.request('SendMessage', send('x'.repeat(200)));
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: null });
  });
});

describe('a server with keys in its store', () => {
  it('waits for the store, and lets in a key that was added later', async () => {
    const store = memory();
    const { peer } = startServer(teller, { auth: [apiKeys()], store });
    const key = 'pk_one_abcdefghijklmnopqrstuvwx';
    expect((await peer.request('ListTasks', {}, { 'x-api-key': key })).status).toBe(401);
    await store.addApiKey({ id: 'one', hash: await hashKey(key), subject: 'ada', scopes: [], createdAt: 0 });
    expect((await peer.request('ListTasks', {}, { 'x-api-key': key })).status).toBe(200);
  });
});

describe('auth', () => {
  it.each([
    ['an empty list', []],
    ['something else', { type: 'bearer' }],
    ['nothing in a list', [undefined]],
  ])('cannot be %s', (_, auth) => {
    expect(() => startServer(teller, { auth: auth as never })).toThrow(TypeError);
  });
});

describe("the security that an agent's card declares", () => {
  const bearer = {
    securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
    security: [{ bearer: [] }],
  } as const;

  it('must be one that the server can check', async () => {
    const agent = agentOf(() => 'x', { card: bearer });
    expect(() => startServer(agent)).toThrow(/asks for "bearer", and no authenticator takes that/);
    const auth = await keysOf();
    expect(() => startServer(agent, { auth })).toThrow(/asks for "bearer"/);
    expect(() => startServer(agent, { open: true })).not.toThrow();
    expect(() => startServer(agent, { auth: { type: 'bearer', validate: () => true } })).not.toThrow();
  });

  it('is enforced, scopes included', async () => {
    const agent = agentOf(() => 'x', { card: { security: [{ apiKey: ['report:read'] }] } });
    const { peer } = startServer(agent, { auth: await keysOf() });
    expect((await peer.request('SendMessage', send('hi'), ADA)).status).toBe(200);
    const denied = await peer.request('SendMessage', send('hi'), BOB);
    expect(denied.status).toBe(403);
    expect(denied.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(await denied.text()).toContain('report:read');
  });

  it('is enforced for skills, where a message names one', async () => {
    const skill = { id: 'write', name: 'Write', description: 'Writes', tags: ['text'] };
    const secured = { ...skill, security: [{ apiKey: ['report:read'] }] };
    const agent = agentOf(() => 'x', { skills: [secured, { ...skill, id: 'read' }] });
    const { peer, server } = startServer(agent, { auth: await keysOf() });
    const status = async (headers: Record<string, string>, skillId?: string) =>
      (await peer.request('SendMessage', send('hi', { metadata: { skillId } }), headers)).status;
    expect([await status(ADA, 'write'), await status(BOB, 'write'), await status(BOB, 'read')]).toEqual([
      200, 403, 200,
    ]);
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: send('hi', { metadata: { skillId: 'write' } }),
    };
    expect((await server.handleJsonRpc(body, { headers: { 'a2a-version': '1.0' } })).error).toBeUndefined();
    const only = startServer(
      agentOf(() => 'x', { skills: [secured] }),
      { auth: await keysOf() },
    );
    expect((await only.peer.request('SendMessage', send('hi'), BOB)).status).toBe(403);
    expect(() => startServer(agent)).toThrow(/asks for "apiKey"/);
  });

  it('lets in anybody where one of its alternatives asks for nothing', async () => {
    const agent = agentOf(({ user }) => user.subject || 'nobody', { card: { security: [{ apiKey: [] }, {}] } });
    const { peer } = startServer(agent, { auth: await keysOf() });
    const textOf = async (headers: Record<string, string>) =>
      (await peer.respond('SendMessage', send('hi'), headers)).result.task.artifacts[0].parts[0].text;
    expect([await textOf({}), await textOf(ADA)]).toEqual(['nobody', 'ada']);
    expect((await peer.request('SendMessage', send('hi'), { 'x-api-key': 'guessed' })).status).toBe(401);
  });
});
