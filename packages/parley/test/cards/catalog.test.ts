import { A2AClient, defineAgent } from 'parley-a2a';
import { listAgents } from 'parley-a2a/cards';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, startServer } from '../support/rpc.ts';

const CATALOG = '/.well-known/ai-catalog.json';

const one = defineAgent({
  name: 'one',
  title: 'The first',
  description: 'Does one thing',
  version: '1.2.3',
  skills: [
    { id: 'a', name: 'A', description: 'a', tags: ['x', 'y'] },
    { id: 'b', name: 'B', description: 'b', tags: ['y'] },
  ],
  run: () => 'one',
});
const two = defineAgent({ name: 'two.b', description: 'Does two', version: '2', run: () => 'two' });

function sendTo(peer: RpcPeer): typeof fetch {
  return (input, init) => peer.raw(input instanceof Request ? input.url : input.toString(), init);
}

describe('the catalog of a host', () => {
  it('lists all agents with the addresses of their cards', async () => {
    const { peer } = startServer([one, two], { url: 'https://agents.example.com:8443/x' });
    const response = await peer.raw(CATALOG);
    expect(response.headers.get('content-type')).toBe('application/ai-catalog+json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await response.json()).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:parley:agent:agents.example.com:8443:one',
          displayName: 'The first',
          mediaType: 'application/a2a-agent-card+json',
          url: 'https://agents.example.com:8443/x/a2a/agents/one/.well-known/agent-card.json',
          description: 'Does one thing',
          tags: ['x', 'y'],
          version: '1.2.3',
        },
        expect.objectContaining({ identifier: 'urn:parley:agent:agents.example.com:8443:two.b', displayName: 'two.b' }),
      ],
    });
    const again = await peer.raw(CATALOG, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    const posted = await peer.raw(CATALOG, { method: 'POST', body: '{}' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('leads to agents that can be called', async () => {
    const { peer } = startServer([one, two]);
    const send = sendTo(peer);
    const { agents, problems } = await listAgents('http://localhost/a2a', { fetch: send });
    expect(problems).toEqual([]);
    const answers = await Promise.all(
      agents.map(async ({ url }) => (await A2AClient.connect(url, { fetch: send })).run('Hello')),
    );
    expect(answers).toEqual(['one', 'two']);
  });

  it('is for callers alone where cards are guarded, and shows no agent that would not let them in', async () => {
    const secret = defineAgent({
      name: 'secret',
      description: 'For few',
      version: '1',
      card: {
        securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
        security: [{ bearer: ['admin'] }],
      },
      run: () => 'secret',
    });
    const validate = (token: string) => ({ subject: token, scopes: token === 'root' ? ['admin'] : [] });
    const { peer } = startServer([one, secret], { auth: { type: 'bearer', validate }, card: { access: 'guarded' } });
    const as = (token?: string, path = CATALOG) =>
      peer.raw(path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
    expect((await as()).status).toBe(401);
    const seen = async (token: string) => {
      const response = await as(token);
      expect(response.headers.get('cache-control')).toBe('private, max-age=300');
      expect(response.headers.get('vary')).toContain('Authorization');
      const { entries } = (await response.json()) as { entries: { displayName: string }[] };
      return entries.map(({ displayName }) => displayName);
    };
    expect(await seen('root')).toEqual(['The first', 'secret']);
    expect(await seen('alice')).toEqual(['The first']);
    const { agents } = (await (await as('alice', '/a2a/agents')).json()) as { agents: { name: string }[] };
    expect(agents.map(({ name }) => name)).toEqual(['one']);
    const listed = await listAgents('http://localhost', {
      fetch: sendTo(peer),
      headers: { authorization: 'Bearer root' },
    });
    expect(listed.agents).toHaveLength(2);
    await expect(listAgents('http://localhost', { fetch: sendTo(peer) })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });
});

describe('listAgents', () => {
  const CARD_TYPE = 'application/a2a-agent-card+json';
  const answering =
    (document: unknown): typeof fetch =>
    async () =>
      Response.json(document);
  const list = (document: unknown) => listAgents('https://host.example/x', { fetch: answering(document) });

  it('takes what it can use, says what it cannot, and marks agents of other origins', async () => {
    const entry = (more: object) => ({
      identifier: 'a',
      displayName: 'A',
      mediaType: CARD_TYPE,
      url: '/card.json',
      ...more,
    });
    const found = await list({
      specVersion: '1.0',
      entries: [
        entry({}),
        entry({ identifier: 'b', displayName: undefined, url: 'https://other.example/card.json' }),
        entry({ identifier: 'b' }),
        entry({ identifier: 'c', url: 'javascript:alert(1)' }),
        entry({ identifier: 'd', url: 'https://user:pass@host.example/' }),
        entry({ identifier: undefined }),
        'nothing',
        entry({ mediaType: 'application/mcp-server+json' }),
        entry({
          identifier: 'e',
          mediaType: `${CARD_TYPE}; charset=utf-8`,
          description: 'x'.repeat(5000),
          tags: ['t', 7],
        }),
      ],
    });
    expect(found.others).toBe(1);
    expect(found.agents.map(({ displayName, url, isElsewhere }) => [displayName, url, isElsewhere])).toEqual([
      ['A', 'https://host.example/card.json', false],
      ['b', 'https://other.example/card.json', true],
      ['A', 'https://host.example/card.json', false],
    ]);
    expect(found.agents[2]?.description).toHaveLength(2000);
    expect(found.agents[2]?.tags).toEqual(['t']);
    expect(found.problems).toEqual([
      'entry 3 repeats b',
      'entry 4 has no http(s) address of a card (url)',
      'entry 5 has no http(s) address of a card (url)',
      'entry 6 has no identifier',
      'entry 7 is not an object',
    ]);
  });

  it('reads so many entries and no more', async () => {
    const entries = Array.from({ length: 1500 }, (_, index) => ({
      identifier: `${index}`,
      url: '/c',
      mediaType: CARD_TYPE,
    }));
    const { agents, problems } = await list({ entries });
    expect([agents.length, problems]).toEqual([1000, ['there are 1500 entries, of which 1000 are read']]);
  });

  it.each<[string, typeof fetch, object]>([
    [
      'a host without one',
      async () => new Response('', { status: 404 }),
      {
        code: 'NOT_FOUND',
        message:
          'No catalog of agents was found at https://host.example/x/.well-known/ai-catalog.json (status 404), https://host.example/.well-known/ai-catalog.json (status 404)',
      },
    ],
    ['a page', async () => new Response('<html>'), { code: 'NOT_FOUND' }],
    ['another document', answering([]), { code: 'INVALID_RESPONSE' }],
    ['an endless one', async () => new Response(`"${'x'.repeat(2 ** 21)}"`), { code: 'INVALID_RESPONSE' }],
    [
      'one that is elsewhere',
      async () => new Response('', { status: 302, headers: { location: 'https://other.example/' } }),
      {
        code: 'INVALID_RESPONSE',
        message: 'https://host.example redirects to https://other.example: ask there, if that is meant',
      },
    ],
    [
      'one that redirects for ever',
      async () => new Response('', { status: 302, headers: { location: '/y' } }),
      { code: 'INVALID_RESPONSE' },
    ],
    [
      'a host that is down',
      async () => new Response('', { status: 503, headers: { 'retry-after': '7' } }),
      { code: 'UNAVAILABLE', retryAfter: 7000 },
    ],
    ['no host', () => Promise.reject(new TypeError('fetch failed')), { code: 'UNREACHABLE' }],
  ])('fails by name for %s', async (_, send, error) => {
    await expect(listAgents('https://host.example/x', { fetch: send })).rejects.toMatchObject(error);
  });

  it('follows a redirect on the host itself, with what it was entrusted', async () => {
    const asked: [string, string | null][] = [];
    const send: typeof fetch = async (input, init) => {
      asked.push([input instanceof Request ? input.url : input.toString(), new Headers(init?.headers).get('x-secret')]);
      if (asked.length === 1) return new Response('', { status: 301, headers: { location: '/real.json' } });
      return Response.json({ entries: [] });
    };
    await listAgents('https://host.example', { fetch: send, headers: { 'x-secret': 's' } });
    expect(asked).toEqual([
      ['https://host.example/.well-known/ai-catalog.json', 's'],
      ['https://host.example/real.json', 's'],
    ]);
  });

  it.each(['ftp://host', 'nothing', 'https://a:b@host.example'])('refuses the address %s', async (url) => {
    await expect(listAgents(url)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});
