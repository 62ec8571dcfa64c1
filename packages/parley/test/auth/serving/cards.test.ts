import { A2AClient } from 'parley-a2a';
import { custom, jwt } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** Takes any token for a name; what is behind a dot is a scope. */
const named = custom(
  ({ token }) => {
    const [subject, ...scopes] = token?.split('.') ?? [];
    return subject ? { subject, scopes } : undefined;
  },
  { scheme: { type: 'http', scheme: 'Bearer' }, name: 'named' },
);

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const V1 = { 'a2a-version': '1.0' };
const V03 = { 'a2a-version': '0.3' };

const guide = agentOf(() => 'x', {
  extendedCard: async ({ subject, scopes }) =>
    scopes.includes('more')
      ? { description: `For ${subject}`, skills: [{ id: 's', name: 'Secret', description: 'x', tags: [] }] }
      : undefined,
});

async function extended(peer: RpcPeer, headers: Record<string, string>): Promise<Wire[]> {
  const get = async (path: string, more: Record<string, string>) =>
    (await peer.raw(path, { headers: { ...headers, ...more } })).json();
  return [
    (await peer.respond('GetExtendedAgentCard', {}, headers)).result,
    (await peer.respond('agent/getAuthenticatedExtendedCard', undefined, { ...headers, ...V03 })).result,
    await get('/a2a/extendedAgentCard', V1),
    await get('/v1/card', {}),
    await get('/a2a/v1/card', {}),
  ];
}

describe('the extended card', () => {
  it('of a server without auth is warned of at the start: nobody gets it', () => {
    const told: unknown[] = [];
    const log = { error: () => {}, warn: (message: string, fields?: object) => void told.push([message, fields]) };
    startServer(guide, { log });
    expect(told).toEqual([[expect.stringContaining('no client gets it'), { agent: 'test' }]]);
    startServer(guide, { log, auth: named });
    expect(told).toHaveLength(1);
  });

  it('is made for its caller, in both versions and bindings', async () => {
    const { peer } = startServer(guide, { auth: named });
    for (const card of await extended(peer, as('ada.more'))) {
      expect(card).toMatchObject({ description: 'For ada', skills: [{ id: 's' }], securitySchemes: { named: {} } });
    }
    for (const card of await extended(peer, as('bob'))) {
      expect(card).toMatchObject({ description: 'An agent of a test', name: 'test' });
    }
    const [official, older] = await extended(peer, as('ada.more'));
    expect(official.supportedInterfaces[0].url).toBe('http://localhost/a2a');
    expect(older.url).toBe('http://localhost/a2a');
  });

  it('may be one for all who are known, and is for nobody else', async () => {
    const agent = agentOf(() => 'x', { extendedCard: { description: 'For you' } });
    const { peer } = startServer(agent, { auth: named });
    for (const card of await extended(peer, as('bob'))) expect(card.description).toBe('For you');
    const refused = await peer.request('GetExtendedAgentCard', {});
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="a2a"']);
    expect(await refused.text()).not.toContain('For you');
  });

  it('reaches our client', async () => {
    const { server } = startServer(guide, { auth: named });
    const client = new A2AClient('http://localhost', {
      fetch: (input, init) => server.fetch(new Request(input, init)),
      headers: as('ada.more'),
    });
    expect(await client.extendedCard()).toMatchObject({ description: 'For ada' });
  });
});

describe("card: { access: 'guarded' }", () => {
  const CARDS = [
    '/.well-known/agent-card.json',
    '/.well-known/agent-card',
    '/.well-known/agent.json',
    '/a2a/agents',
    '/a2a/agents/test',
    '/a2a/agents/test/card',
    '/',
  ];

  it('keeps cards and lists for callers who are known', async () => {
    const { peer } = startServer(guide, { auth: named, card: { access: 'guarded' } });
    for (const path of CARDS) {
      const refused = await peer.raw(path);
      expect([path, refused.status, refused.headers.get('www-authenticate')]).toEqual([
        path,
        401,
        'Bearer realm="a2a"',
      ]);
      const allowed = await peer.raw(path, { headers: as('ada') });
      expect([path, allowed.status]).toEqual([path, 200]);
      if (path === '/') continue;
      expect(allowed.headers.get('cache-control')).toMatch(/^private/);
      expect(allowed.headers.get('vary')).toContain('Authorization');
    }
    for (const path of ['/healthz', '/readyz']) expect((await peer.raw(path)).status).toBe(200);
  });

  it('leaves them public by default, and needs auth', async () => {
    const { peer } = startServer(guide, { auth: named });
    for (const path of CARDS) expect((await peer.raw(path)).status).toBe(200);
    expect(() => startServer(guide, { card: { access: 'guarded' } })).toThrow(TypeError);
  });
});

describe('the metadata of the protected resource', () => {
  const METADATA = '/.well-known/oauth-protected-resource';
  const issuer = 'https://login.example.com/';
  const jwks = { keys: [] };
  const agent = agentOf(() => 'x', { card: { security: [{ bearer: ['report:read'] }] } });

  it('names the authorization servers, and 401 leads to it', async () => {
    const { peer } = startServer(agent, { auth: jwt({ issuer, audience: 'agents', jwks }) });
    const paths = [
      ['/a2a', '/a2a'],
      ['/a2a/message:send', '/a2a'],
      ['/a2a/agents/test', '/a2a/agents/test'],
      ['/a2a/agents/nobody', '/a2a'],
      ['/nothing', ''],
    ];
    for (const [asked, resource] of paths as [string, string][]) {
      const refused = await peer.raw(asked, { method: 'POST' });
      const address = `http://localhost${METADATA}${resource}`;
      expect(refused.headers.get('www-authenticate')).toBe(`Bearer realm="a2a", resource_metadata="${address}"`);
      const found = await peer.raw(address);
      expect(found.headers.get('content-type')).toBe('application/json');
      expect(await found.json()).toEqual({
        resource: `http://localhost${resource}`,
        authorization_servers: [issuer],
        scopes_supported: ['report:read'],
        bearer_methods_supported: ['header'],
      });
    }
    expect((await peer.raw(`${METADATA}/elsewhere`)).status).toBe(404);
    expect((await peer.raw(METADATA, { method: 'POST' })).status).toBe(401);
  });

  it('is about the audience of the tokens where that is an address of this server', async () => {
    const url = 'https://agents.example.com';
    const { peer } = startServer(agent, { url, auth: jwt({ issuer, audience: `${url}/`, jwks }) });
    const refused = await peer.raw('/a2a', { method: 'POST' });
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${url}${METADATA}"`);
    expect(await (await peer.raw(METADATA)).json()).toMatchObject({ resource: `${url}/` });
  });

  it('is not there where nobody hands out tokens', async () => {
    const { peer } = startServer(guide, { auth: named });
    expect((await peer.raw(METADATA)).status).toBe(401);
    expect((await peer.raw('/a2a', { method: 'POST' })).headers.get('www-authenticate')).toBe('Bearer realm="a2a"');
  });
});
