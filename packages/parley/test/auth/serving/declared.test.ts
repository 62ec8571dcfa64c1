import { A2AClient } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_DIALECTS } from '../../../src/dialects/registry.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { SPEAKERS, SPEAKERS_MOUNTS } from '../../support/speakers.ts';
import { CREDENTIALS, everyKind } from './credentials.ts';

const agent = agentOf(() => 'done', { extendedCard: { description: 'For you' } });
const start = async () => startServer(agent, { auth: await everyKind(), mounts: SPEAKERS_MOUNTS });

async function cardIn(version?: string): Promise<Wire> {
  const { peer } = await start();
  const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
  return (await peer.raw('/.well-known/agent-card.json', { headers })).json();
}

const MEMBERS = [
  'apiKeySecurityScheme',
  'httpAuthSecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
];

describe('the schemes on a card', () => {
  it('have exactly one member each in 1.0 [rule:card.scheme-one-member]', async () => {
    const { securitySchemes, securityRequirements } = await cardIn('1.0');
    expect(Object.keys(securitySchemes).toSorted()).toEqual(['apiKey', 'basic', 'oauth']);
    for (const scheme of Object.values<Wire>(securitySchemes)) {
      expect(Object.keys(scheme)).toEqual([expect.toBeOneOf(MEMBERS)]);
    }
    expect(securityRequirements).toEqual([
      { schemes: { oauth: {} } },
      { schemes: { apiKey: {} } },
      { schemes: { basic: {} } },
    ]);
  });

  it('have a type in 0.3, and requirements name their scopes [rule:v03.card-security]', async () => {
    const { securitySchemes, security } = await cardIn('0.3');
    expect(securitySchemes).toMatchObject({
      oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: expect.any(String) } } },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      basic: { type: 'http', scheme: 'Basic' },
    });
    expect(security).toEqual([{ oauth: [] }, { apiKey: [] }, { basic: [] }]);
  });

  it('have both forms in the merged card, with one flow [rule:card.merged-schemes]', async () => {
    const { securitySchemes, security, securityRequirements } = await cardIn();
    for (const [name, scheme] of Object.entries<Wire>(securitySchemes)) {
      const { type, ...others } = scheme;
      expect([name, type]).toEqual([name, expect.any(String)]);
      expect(Object.keys(others).filter((member) => MEMBERS.includes(member))).toHaveLength(1);
    }
    const { flows, oauth2SecurityScheme } = securitySchemes.oauth;
    expect([Object.keys(flows), Object.keys(oauth2SecurityScheme.flows)]).toEqual([
      [expect.any(String)],
      Object.keys(flows),
    ]);
    expect([security.length, securityRequirements.length]).toEqual([3, 3]);
  });
});

describe('what a card requires', () => {
  it('is one of its alternatives, each as a whole [rule:card.requirements-or-and]', async () => {
    const { peer } = await start();
    for (const [name, headers] of Object.entries(CREDENTIALS)) {
      expect([name, (await peer.request('ListTasks', {}, headers)).status]).toEqual([name, 200]);
    }
    const security = [{ apiKey: [], oauth: [] }];
    const auth = await everyKind();
    // A request is of one caller: what would need two credentials at once cannot be half enforced.
    expect(() =>
      startServer(
        agentOf(() => 'x', { card: { security } }),
        { auth },
      ),
    ).toThrow(/"apiKey" and "oauth"/);
    const onlyKeys = startServer(
      agentOf(() => 'x', { card: { security: [{ apiKey: [] }] } }),
      { auth },
    );
    const statuses = Object.values(CREDENTIALS).map(
      async (headers) => (await onlyKeys.peer.request('ListTasks', {}, headers)).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200, 401]);
  });

  it('is brought by our client, all of one alternative or none [rule:card.requirements-or-and]', async () => {
    const schemes = {
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-One' } },
      other: { apiKeySecurityScheme: { location: 'header', name: 'X-Two' } },
      third: { apiKeySecurityScheme: { location: 'header', name: 'X-Three' } },
    };
    const card = {
      ...(await cardIn('1.0')),
      securitySchemes: schemes,
      securityRequirements: [{ schemes: { key: {}, other: {} } }, { schemes: { third: {} } }],
    };
    const sentWith = async (credentials: Record<string, string>) => {
      let sent: Headers | undefined;
      const client = new A2AClient('http://localhost', {
        credentials,
        fetch: async (input, init) => {
          const request = new Request(input, init);
          if (request.method === 'GET') return Response.json(card);
          sent = request.headers;
          return Response.json({
            jsonrpc: '2.0',
            id: 1,
            result: { tasks: [], nextPageToken: '', pageSize: 1, totalSize: 0 },
          });
        },
      });
      await client.listTasks();
      return ['x-one', 'x-two', 'x-three'].map((name) => sent?.get(name) ?? '');
    };
    expect(await sentWith({ key: 'a', other: 'b', third: 'c' })).toEqual(['a', 'b', '']);
    expect(await sentWith({ key: 'a', third: 'c' })).toEqual(['', '', 'c']);
  });
});

/** Requests for every operation, in both versions and bindings and in every dialect. */
function everyRequest(): readonly [string, string, RequestInit][] {
  const json = { 'content-type': 'application/json' };
  const places: readonly [string, string, Readonly<Record<string, string>>][] = [
    ['/a2a', 'v1_0', { 'a2a-version': '1.0' }],
    ['/a2a', 'v0_3', { 'a2a-version': '0.3' }],
    ['/api/a2a', 'rxjs', {}],
    ['/cogitator', 'cogitator', {}],
    ['/jaf', 'jaf', {}],
    ['/draft', 'v1_draft', {}],
  ];
  const rpc = places.flatMap(([path, dialect, version]) => {
    const methods = [...(BUILT_IN_DIALECTS.all.find(({ name }) => name === dialect)?.methods.keys() ?? [])];
    return methods.map((method): [string, string, RequestInit] => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 'x', ...sendParams('x') } });
      return [`${method} in ${dialect}`, path, { method: 'POST', headers: { ...json, ...version }, body }];
    });
  });
  const routes: readonly [string, string][] = [
    ['POST', 'message:send'],
    ['POST', 'message:stream'],
    ['GET', 'tasks/x'],
    ['POST', 'tasks/x:cancel'],
    ['POST', 'tasks/x:subscribe'],
    ['GET', 'tasks/x/pushNotificationConfigs'],
    ['DELETE', 'tasks/x/pushNotificationConfigs/y'],
  ];
  const rest = [...routes, ['GET', 'tasks'] as const, ['GET', 'extendedAgentCard'] as const].map(
    ([method, route]): [string, string, RequestInit] => {
      const body = method === 'POST' ? { body: JSON.stringify(sendParams('x')) } : {};
      return [`${method} ${route}`, `/a2a/${route}`, { method, headers: { ...json, 'a2a-version': '1.0' }, ...body }];
    },
  );
  const older = [...routes, ['GET', 'card'] as const].map(([method, route]): [string, string, RequestInit] => {
    const body = method === 'POST' ? { body: JSON.stringify(sendParams('x')) } : {};
    return [`${method} ${route} of 0.3`, `/v1/${route}`, { method, headers: json, ...body }];
  });
  return [...rpc, ...rest, ...older];
}

describe('every operation', () => {
  it('is refused without valid credentials, and the refusal says what would be taken [rule:security.authenticate] [rule:errors.challenge]', async () => {
    const { peer, server } = await start();
    const wrong = [
      {},
      { 'x-api-key': 'wrong' },
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic d3Jvbmc6eA==' },
    ];
    for (const [title, path, init] of everyRequest()) {
      for (const headers of wrong) {
        const response = await peer.raw(path, { ...init, headers: { ...(init.headers as object), ...headers } });
        const challenge = response.headers.get('www-authenticate') ?? '';
        expect([title, response.status], await response.text()).toEqual([title, 401]);
        for (const scheme of ['Bearer realm=', 'ApiKey realm=', 'Basic realm=']) expect(challenge).toContain(scheme);
      }
    }
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it.each(SPEAKERS)('takes the same credentials in $name [rule:security.same-schemes]', async (speaker) => {
    const { server } = await start();
    for (const [name, headers] of Object.entries(CREDENTIALS)) {
      const client = new A2AClient(`http://localhost${speaker.path}`, {
        ...speaker.options,
        headers,
        fetch: (input, init) => server.fetch(new Request(input, init)),
      });
      expect([name, await client.run('hello')]).toEqual([name, 'done']);
    }
  });
});

it('keeps the extended card out of shared caches, in both versions [rule:card.extended-private]', async () => {
  const { peer } = await start();
  for (const [path, version] of [
    ['/a2a/extendedAgentCard', '1.0'],
    ['/v1/card', '0.3'],
  ] as const) {
    const response = await peer.raw(path, { headers: { 'a2a-version': version, ...CREDENTIALS.apiKey } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(await response.text()).toContain('For you');
  }
});
