import { A2AClient, type ClientOptions } from 'parley-a2a';
import type { CredentialRequest } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { type Answer, agentWith, cardOf, fetchOf, jsonOf } from '../support/recorded.ts';
import { settableTiming } from '../support/settable-timing.ts';

const ADDRESS = 'https://agent.example';

async function connect(answer: Answer, options: ClientOptions = {}) {
  const { fetch, sent } = fetchOf(answer);
  const agent = await A2AClient.connect(ADDRESS, { fetch, retry: false, ...options });
  return { agent, sent };
}

const V1_SCHEMES = {
  bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
  basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
  header: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
  query: { apiKeySecurityScheme: { location: 'query', name: 'key' } },
  cookie: { apiKeySecurityScheme: { location: 'cookie', name: 'session' } },
  mtls: { mtlsSecurityScheme: {} },
  oauth: {
    oauth2SecurityScheme: {
      flows: { clientCredentials: { tokenUrl: `${ADDRESS}/token`, scopes: { read: 'Reading' } } },
    },
  },
  elsewhere: {
    oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://evil.example/token', scopes: {} } } },
  },
};

function demanding(...alternatives: readonly (readonly string[])[]) {
  const securityRequirements = alternatives.map((names) => ({
    schemes: Object.fromEntries(names.map((name) => [name, name === 'oauth' ? { list: ['read'] } : {}])),
  }));
  return cardOf({ securitySchemes: V1_SCHEMES, securityRequirements });
}

describe('credentials', () => {
  it.for([
    ['bearer', 'secret', { authorization: 'Bearer secret' }, ''],
    [
      'basic',
      { username: 'Ärger', password: 'a:b' },
      { authorization: `Basic ${Buffer.from('Ärger:a:b').toString('base64')}` },
      '',
    ],
    ['basic', 'user:pass', { authorization: `Basic ${btoa('user:pass')}` }, ''],
    ['header', 'secret', { 'x-api-key': 'secret' }, ''],
    ['query', 'secret', {}, '?key=secret'],
    ['cookie', 'secret', { cookie: 'session=secret' }, ''],
  ] as const)('go where %s wants them [rule:security.client-credentials]', async ([
    name,
    credential,
    headers,
    search,
  ]) => {
    const { agent, sent } = await connect(agentWith(demanding([name])), { credentials: { [name]: credential } });
    await agent.getTask('t');
    await agent.sendMessage('hi');
    for (const request of sent.slice(1)) {
      expect(Object.fromEntries(request.headers)).toMatchObject(headers);
      expect(request.url.search).toBe(search);
    }
  });

  it('are of the first alternative for which there are all', async () => {
    const { agent, sent } = await connect(agentWith(demanding(['bearer'], ['header', 'query', 'mtls'])), {
      credentials: { header: 'one', query: 'two' },
    });
    await agent.getTask('t');
    expect(sent.at(-1)?.headers.get('x-api-key')).toBe('one');
    expect(sent.at(-1)?.url.searchParams.get('key')).toBe('two');
    expect(sent.at(-1)?.headers.has('authorization')).toBe(false);
  });

  it('are the same for cards of 0.3 [rule:security.client-credentials]', async () => {
    const card = {
      ...{
        protocolVersion: '0.3.0',
        name: 'Old',
        description: '',
        version: '1',
        url: `${ADDRESS}/old`,
        capabilities: {},
      },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      security: [{ key: [] }],
    };
    const { agent, sent } = await connect(
      async (request) =>
        request.method === 'GET'
          ? jsonOf(card)
          : jsonOf({
              jsonrpc: '2.0',
              id: ((await request.json()) as { id: number }).id,
              result: { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } },
            }),
      { credentials: { key: 'secret' } },
    );
    await agent.getTask('t');
    expect(sent.at(-1)?.headers.get('x-key')).toBe('secret');
  });

  it('may come from a function, which is told what for', async () => {
    const asked: CredentialRequest[] = [];
    const skills = [
      { id: 'report', name: 'Report', description: '', tags: [], securityRequirements: [{ schemes: { header: {} } }] },
    ];
    const { agent, sent } = await connect(agentWith({ ...demanding(['bearer']), skills }), {
      credentials: (request) => {
        asked.push(request);
        return `${request.name}-secret`;
      },
    });
    asked.splice(0);
    await agent.sendMessage('hi', { skill: 'report' });
    expect(asked.map(({ name, skill, challenge }) => [name, skill, challenge])).toEqual([
      ['bearer', 'report', undefined],
      ['header', 'report', undefined],
    ]);
    expect(sent.at(-1)?.headers.get('authorization')).toBe('Bearer bearer-secret');
    expect(sent.at(-1)?.headers.get('x-api-key')).toBe('header-secret');
    expect(JSON.parse(sent.at(-1)?.body ?? '').params.message.metadata).toEqual({ skillId: 'report' });
  });

  it('are renewed once after a 401', async () => {
    let token = 'old';
    const challenges: (string | undefined)[] = [];
    const inner = agentWith(demanding(['bearer']));
    const { agent, sent } = await connect(
      (request) =>
        request.method === 'POST' && request.headers.get('authorization') !== 'Bearer new'
          ? new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
          : inner(request),
      {
        credentials: ({ challenge }) => {
          challenges.push(challenge);
          if (challenge !== undefined && token === 'old') token = 'new';
          return token;
        },
      },
    );
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
    expect(challenges.at(-1)).toBe('Bearer error="invalid_token"');
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(2);
    token = 'worse';
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'UNAUTHENTICATED', httpStatus: 401 });
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('that cannot be had are an error of their own, which is not tried again', async () => {
    let asked = 0;
    const { agent } = await connect(agentWith(demanding(['bearer'])), {
      retry: { attempts: 3, firstDelay: 1 },
      credentials: () => {
        asked += 1;
        throw new Error('the vault is closed');
      },
    });
    const before = asked;
    const message = 'There are no credentials for bearer: the vault is closed';
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message });
    expect(asked).toBe(before + 1);
  });

  it('are not waited for when the call is over', async () => {
    const { agent } = await connect(agentWith(demanding(['bearer'])), {
      credentials: () => new Promise(() => {}),
      timeout: 30,
    });
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('answer a server whose card says nothing', async () => {
    const inner = agentWith(cardOf());
    const { agent } = await connect(
      (request) =>
        request.method === 'POST' && !request.headers.has('authorization')
          ? new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer realm="a"' } })
          : inner(request),
      { credentials: { bearer: 'secret' } },
    );
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
  });
});

describe('OAuth 2 client credentials', () => {
  function server(lifetime = 3600, card: object = demanding(['oauth'])) {
    const inner = agentWith(card);
    const tokens: string[] = [];
    let refuse = '';
    const answer: Answer = async (request) => {
      if (new URL(request.url).pathname === '/token') {
        const form = new URLSearchParams(await request.text());
        tokens.push(`${form.get('grant_type')} ${form.get('scope')} ${request.headers.get('authorization')}`);
        return jsonOf({ access_token: `token-${tokens.length}`, token_type: 'Bearer', expires_in: lifetime });
      }
      if (request.method === 'POST' && request.headers.get('authorization') === refuse)
        return new Response('', { status: 401 });
      return inner(request);
    };
    return { answer, tokens, refuse: (value: string) => (refuse = value) };
  }
  const client = { clientId: 'me', clientSecret: 's&cret' };

  it('get a token once, and another when it is nearly over', async () => {
    const { answer, tokens } = server();
    const timing = settableTiming();
    const { agent, sent } = await connect(answer, { credentials: { oauth: client }, timing });
    await Promise.all([agent.getTask('t'), agent.getTask('t'), agent.getTask('t')]);
    expect(tokens).toEqual([`client_credentials read Basic ${btoa('me:s%26cret')}`]);
    expect(sent.at(-1)?.headers.get('authorization')).toBe('Bearer token-1');
    timing.time += 3_590_000;
    await agent.getTask('t');
    expect(sent.at(-1)?.headers.get('authorization')).toBe('Bearer token-2');
  });

  it('get another token when theirs is refused', async () => {
    const { answer, tokens, refuse } = server();
    const { agent } = await connect(answer, { credentials: { oauth: client } });
    refuse('Bearer token-1');
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
    expect(tokens).toHaveLength(2);
  });

  it('are not sent to another origin because a card says so', async () => {
    const { answer } = server(3600, demanding(['elsewhere']));
    const options = { credentials: { elsewhere: client } };
    await expect(connect(answer, options)).resolves.toBeDefined();
    const { agent, sent } = await connect(answer, options);
    await expect(agent.getTask('t')).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('evil.example'),
    });
    expect(sent.filter(({ url }) => url.host === 'evil.example')).toEqual([]);
    const { agent: other, sent: others } = await connect(answer, {
      ...options,
      allowedOrigins: ['https://evil.example'],
    });
    await other.getTask('t');
    expect(others.filter(({ url }) => url.host === 'evil.example')).toHaveLength(1);
  });
});

describe('secrets', () => {
  const FOREIGN = cardOf({
    ...demanding(['bearer']),
    supportedInterfaces: [{ url: 'https://other.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  const options = { credentials: { bearer: 'secret' }, headers: { 'X-Secret': 'too' } };

  it('stay at the origin of the card [rule:security.client-credentials]', async () => {
    const { agent, sent } = await connect(agentWith(FOREIGN), options);
    await agent.getTask('t');
    expect(sent.at(-1)?.url.host).toBe('other.example');
    expect(sent.at(-1)?.headers.has('authorization')).toBe(false);
    expect(sent.at(-1)?.headers.has('x-secret')).toBe(false);
    const { agent: other, sent: others } = await connect(agentWith(FOREIGN), {
      ...options,
      allowedOrigins: ['https://other.example'],
    });
    await other.getTask('t');
    expect(others.at(-1)?.headers.get('authorization')).toBe('Bearer secret');
    expect(others.at(-1)?.headers.get('x-secret')).toBe('too');
  });

  it('are said to have stayed where that is why a call was refused', async () => {
    const inner = agentWith(FOREIGN);
    const { agent } = await connect(
      (request) => (request.method === 'GET' ? inner(request) : new Response('', { status: 401 })),
      options,
    );
    await expect(agent.getTask('t')).rejects.toMatchObject({
      message: expect.stringContaining('name https://other.example in allowedOrigins'),
    });
  });

  it.for([301, 302, 303, 307, 308])('do not follow a redirect (%s) to another origin', async (status) => {
    const inner = agentWith(demanding(['bearer']));
    const { agent, sent } = await connect(
      (request) =>
        request.method === 'POST'
          ? new Response('', { status, headers: { location: 'https://evil.example/rpc' } })
          : inner(request),
      options,
    );
    await expect(agent.sendMessage('very private')).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      httpStatus: status,
    });
    expect(sent.filter(({ url }) => url.host === 'evil.example')).toEqual([]);
  });

  it('do not go along when a card is redirected', async () => {
    const inner = agentWith(demanding(['bearer']));
    const { sent } = await connect(
      (request) =>
        new URL(request.url).host === 'agent.example' && request.method === 'GET'
          ? new Response('', {
              status: 302,
              headers: { location: 'https://cards.example/.well-known/agent-card.json' },
            })
          : inner(request),
      options,
    );
    const [first, second] = sent;
    expect(first?.headers.get('x-secret')).toBe('too');
    expect(second?.url.host).toBe('cards.example');
    expect(second?.headers.has('x-secret')).toBe(false);
    expect(second?.headers.has('authorization')).toBe(false);
  });

  it('follow a redirect at home, once and with what it says', async () => {
    const inner = agentWith(demanding(['bearer']));
    const { agent, sent } = await connect(
      (request) =>
        new URL(request.url).pathname === '/rpc'
          ? new Response('', { status: 308, headers: { location: '/moved' } })
          : inner(request),
      options,
    );
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
    expect(sent.at(-1)?.url.pathname).toBe('/moved');
    expect(sent.at(-1)?.headers.get('authorization')).toBe('Bearer secret');
    expect(sent.at(-1)?.body).toBe(sent.at(-2)?.body);
  });

  it('survive a server that redirects for ever, or to nowhere', async () => {
    const inner = agentWith(cardOf());
    for (const location of ['/rpc', 'javascript:alert(1)', 'http://agent.example/rpc', '//[']) {
      const { agent } = await connect((request) =>
        request.method === 'POST' ? new Response('', { status: 307, headers: { location } }) : inner(request),
      );
      await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
    }
  });
});
