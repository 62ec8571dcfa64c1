import { type Agent, type AgentDefinition, defineAgent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const WELL_KNOWN = '/.well-known/agent-card.json';
const V1 = { 'a2a-version': '1.0' };

const echo = (more: Partial<AgentDefinition> = {}): Agent => agentOf((task) => task.text, more);

async function cardAt(peer: RpcPeer, path = WELL_KNOWN): Promise<Wire> {
  const response = await peer.raw(path, { headers: V1 });
  expect(response.status).toBe(200);
  return response.json();
}

/** Asks an interface for an answer as a client does that read the card. */
/** Sends a message as an interface of the card says, and gives the state of the task. */
async function ask(entry: Wire, fetch: (request: Request) => Promise<Response>): Promise<string> {
  const { tenant, protocolVersion, protocolBinding, url } = entry;
  const is03 = protocolVersion === '0.3';
  const message = is03
    ? { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'are you there?' }] }
    : sendParams('are you there?').message;
  if (protocolBinding === 'JSONRPC') {
    const params = { message, ...(tenant === undefined ? {} : { tenant }) };
    const method = is03 ? 'message/send' : 'SendMessage';
    const { result } = await new RpcPeer(fetch, url).respond(method, params, { 'a2a-version': protocolVersion });
    return (result?.task ?? result)?.status.state;
  }
  const prefix = is03 ? '/v1' : tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`;
  const headers = { 'content-type': 'application/json', 'a2a-version': protocolVersion };
  const init = { method: 'POST', headers, body: JSON.stringify({ message }) };
  const response: Wire = await (await fetch(new Request(`${url}${prefix}/message:send`, init))).json();
  return response.task?.status.state;
}

const COMPLETED: readonly unknown[] = ['TASK_STATE_COMPLETED', 'completed'];

describe('discovery', () => {
  it('answers the well-known path with the card as JSON, without a version header [rule:card.well-known]', async () => {
    const { peer } = startServer(echo());
    const response = await peer.raw(WELL_KNOWN);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json(;|$)/);
    expect(await response.json()).toMatchObject({ name: 'test', description: 'An agent of a test', version: '1.0.0' });
    const head = await peer.raw(WELL_KNOWN, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect((await peer.raw(WELL_KNOWN, { method: 'POST' })).status).toBe(405);
  });

  it('answers the older paths with the same card [rule:card.seed-paths]', async () => {
    const { peer } = startServer(echo());
    const card = await cardAt(peer);
    expect(await cardAt(peer, '/.well-known/agent-card')).toEqual(card);
    expect(await cardAt(peer, '/.well-known/agent.json')).toEqual(card);
  });

  it('gives each agent a card of its own below its address [rule:card.per-agent]', async () => {
    const { peer } = startServer([echo({ name: 'first' }), echo({ name: 'second', description: 'Another one' })]);
    const first = await cardAt(peer, '/a2a/agents/first/.well-known/agent-card.json');
    const second = await cardAt(peer, '/a2a/agents/second/.well-known/agent-card.json');
    expect([first.name, first.supportedInterfaces[0].url]).toEqual(['first', 'http://localhost/a2a/agents/first']);
    expect([second.name, second.supportedInterfaces[0].url]).toEqual(['second', 'http://localhost/a2a/agents/second']);
    expect(second.description).toBe('Another one');
    expect((await peer.raw('/a2a/agents/third/.well-known/agent-card.json')).status).toBe(404);
  });
});

describe('content', () => {
  it('has all REQUIRED members, even of the barest agent [rule:card.required-members]', async () => {
    const { peer } = startServer(defineAgent({ name: 'bare', description: 'Bare', version: '1', run: () => 'ok' }));
    const card = await cardAt(peer);
    expect(violationsOfV1('AgentCard', card)).toEqual([]);
    const lists = [card.supportedInterfaces, card.defaultInputModes, card.defaultOutputModes, card.skills];
    for (const list of lists) expect(list.length).toBeGreaterThan(0);
    for (const entry of card.supportedInterfaces) {
      expect(entry).toMatchObject({
        url: expect.stringMatching(/^https?:\/\//),
        protocolBinding: expect.stringMatching(/^(JSONRPC|HTTP\+JSON)$/),
        protocolVersion: expect.stringMatching(/^(1\.0|0\.3)$/),
      });
    }
  });

  it.each<[string, Partial<AgentDefinition>]>([
    ['input modes', { inputModes: [] }],
    ['output modes', { outputModes: [] }],
    ['skills', { skills: [] }],
    ['tags', { skills: [{ id: 's', name: 'S', description: 'A skill', tags: [] }] }],
  ])('publishes no empty list of %s: fills it or refuses the agent [rule:card.required-members]', async (_, more) => {
    let agent: Agent;
    try {
      agent = echo(more);
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return;
    }
    const { peer } = startServer(agent);
    expect(violationsOfV1('AgentCard', await cardAt(peer))).toEqual([]);
  });

  it('has no 0.3 member in its 1.0 shape and passes the closed schema [rule:card.pure-10]', async () => {
    const skill = { id: 'sum', name: 'Sum', description: 'Adds up', tags: ['math'] };
    const { peer } = startServer(
      echo({
        skills: [{ ...skill, examples: ['1 + 1'], inputModes: ['text/csv'], outputModes: ['application/json'] }],
        provider: { organization: 'Example', url: 'https://example.com' },
        documentationUrl: 'https://example.com/docs',
        iconUrl: 'https://example.com/icon.png',
        extensions: [{ uri: 'urn:x:trace', description: 'Traces', required: true, params: { level: 2 } }],
        extendedCard: true,
      }),
      { tenants: ['acme'] },
    );
    const card = await cardAt(peer);
    expect(violationsOfV1('AgentCard', card)).toEqual([]);
    for (const old of ['url', 'preferredTransport', 'additionalInterfaces', 'security', 'protocolVersion']) {
      expect(card).not.toHaveProperty(old);
    }
    expect(card).not.toHaveProperty('supportsAuthenticatedExtendedCard');
    expect(card.capabilities).not.toHaveProperty('stateTransitionHistory');
    expect(card.skills).toEqual([
      { ...skill, examples: ['1 + 1'], inputModes: ['text/csv'], outputModes: ['application/json'] },
    ]);
    expect(card.capabilities.extensions).toContainEqual({
      uri: 'urn:x:trace',
      description: 'Traces',
      required: true,
      params: { level: 2 },
    });
  });

  it('declares the resume extension on every card, not as required [rule:card.declares-resume]', async () => {
    const { peer } = startServer([echo({ name: 'first' }), echo({ name: 'second' })]);
    for (const path of [WELL_KNOWN, `/a2a/agents/first${WELL_KNOWN}`, `/a2a/agents/second${WELL_KNOWN}`]) {
      const { capabilities } = await cardAt(peer, path);
      const declared = capabilities.extensions.filter((entry: Wire) => entry.uri === 'urn:parley:ext:resume:v1');
      expect(declared).toHaveLength(1);
      expect(declared[0].required ?? false).toBe(false);
    }
  });
});

describe('interfaces', () => {
  it('declares exactly the bindings and versions that answer [rule:card.declares-all]', async () => {
    const { peer } = startServer(echo());
    const interfaces: Wire[] = (await cardAt(peer)).supportedInterfaces;
    const declared = interfaces.map((entry) => `${entry.protocolBinding} ${entry.protocolVersion}`);
    const answered: string[] = [];
    for (const version of ['0.1', '0.2', '0.3', '1.0', '1.1', '2.0']) {
      const { code } = await peer.error('GetTask', { id: 'none' }, { 'a2a-version': version });
      if (code !== -32009) answered.push(`JSONRPC ${version}`);
      const init = { method: 'GET', headers: { 'a2a-version': version } };
      const path = version === '0.3' ? '/a2a/v1/tasks/none' : '/a2a/tasks/none';
      const body = await (await peer.raw(path, init)).text();
      if (body.includes('Task not found')) answered.push(`HTTP+JSON ${version}`);
    }
    expect(new Set(declared)).toEqual(new Set(answered));
  });

  it.each([
    ['by default', {}],
    ['below another base path', { basePath: '/agents/rpc/' }],
    ['below the root', { basePath: '/' }],
    ['with tenants', { tenants: ['acme', 'globex'] }],
    ['with several agents', { default: 'second' }],
  ])('answers at every declared URL in its binding and version, %s [rule:card.truthful]', async (_, options) => {
    const { peer, server } = startServer([echo({ name: 'first' }), echo({ name: 'second' })], options);
    const base = ('basePath' in options ? options.basePath : '/a2a').replace(/\/$/, '');
    for (const path of [WELL_KNOWN, `${base}/agents/first${WELL_KNOWN}`, `${base}/agents/second${WELL_KNOWN}`]) {
      const { supportedInterfaces } = await cardAt(peer, path);
      for (const entry of supportedInterfaces) {
        expect(COMPLETED, `${path} ${JSON.stringify(entry)}`).toContain(await ask(entry, server.fetch));
      }
    }
  });

  it('answers at the declared URLs of agents whose names need escapes [rule:card.truthful]', async () => {
    const names = ['two words', 'a/b', 'grün', '100%'];
    const agents = Object.fromEntries(names.map((name) => [name, echo()]));
    const { peer, server } = startServer([], { agents });
    for (const name of names) {
      const card = await cardAt(peer, `/a2a/agents/${encodeURIComponent(name)}${WELL_KNOWN}`);
      for (const entry of card.supportedInterfaces) {
        expect(COMPLETED, name).toContain(await ask(entry, server.fetch));
      }
    }
  });

  it('declares the address that it was reached at, over a socket and behind https [rule:card.truthful]', async () => {
    const { peer, server } = startServer(echo());
    const secure = await cardAt(peer, `https://agents.example.com${WELL_KNOWN}`);
    expect(secure.supportedInterfaces[0].url).toBe('https://agents.example.com/a2a');
    await server.listen({ port: 0 });
    const card: Wire = await (await fetch(`${server.url}${WELL_KNOWN}`)).json();
    for (const entry of card.supportedInterfaces) expect(COMPLETED).toContain(await ask(entry, fetch));
  });

  it('declares the public address that it is told [rule:card.truthful]', async () => {
    const { peer } = startServer(echo(), { url: 'https://agents.example.com/' });
    expect((await cardAt(peer)).supportedInterfaces[0].url).toBe('https://agents.example.com/a2a');
  });
});

describe('extended card', () => {
  it('is refused where the card does not offer it [rule:card.extended-off]', async () => {
    const { peer } = startServer(echo());
    expect((await cardAt(peer)).capabilities.extendedAgentCard).toBe(false);
    const error = await peer.error('GetExtendedAgentCard', {});
    expect([error.code, error.data[0].reason]).toEqual([-32004, 'UNSUPPORTED_OPERATION']);
  });

  it('says so where it is declared but not configured [rule:card.extended-not-configured]', async () => {
    const { peer } = startServer(echo({ extendedCard: true }));
    expect((await cardAt(peer)).capabilities.extendedAgentCard).toBe(true);
    const error = await peer.error('GetExtendedAgentCard', {});
    expect([error.code, error.data[0].reason]).toEqual([-32007, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED']);
  });

  it('is refused with 401 to callers without valid credentials [rule:card.extended-auth]', async () => {
    const { peer } = startServer(echo({ extendedCard: { description: 'Only for you' } }));
    expect((await cardAt(peer)).capabilities.extendedAgentCard).toBe(true);
    const attempts: Record<string, string>[] = [{}, { authorization: 'Bearer guessed' }];
    for (const headers of attempts) {
      const response = await peer.request('GetExtendedAgentCard', {}, headers);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      const body: Wire = await response.json();
      expect(body).toHaveProperty('error');
      expect(JSON.stringify(body)).not.toContain('Only for you');
    }
  });

  it('is refused with a challenge over HTTP+JSON too, and in 0.3 [rule:card.extended-auth]', async () => {
    const { peer } = startServer(echo({ extendedCard: { description: 'Only for you' } }));
    const older = await peer.request('agent/getAuthenticatedExtendedCard', undefined, { 'a2a-version': '0.3' });
    for (const response of [
      older,
      await peer.raw('/a2a/extendedAgentCard', { headers: V1 }),
      await peer.raw('/v1/card'),
    ]) {
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });
});
