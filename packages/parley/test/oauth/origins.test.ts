import { A2AClient, type A2AServerOptions } from 'parley-a2a';
import { basic, hashPassword, jwt } from 'parley-a2a/auth';
import { authorizationCode, type Grant, type GrantStore, oauth } from 'parley-a2a/oauth';
import { loopback } from 'parley-a2a/oauth/node';
import { describe, expect, it } from 'vitest';
import { type Answer, cardOf, fetchOf, jsonOf } from '../client/support/recorded.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { startAuthorizationServer } from './support/authorization-server.ts';
import { startGuardedAgent } from './support/guarded-agent.ts';
import { AGENT, LOGIN, repliesOf, scriptedFetch } from './support/scripted.ts';

const BEARER = {
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { bearer: {} } }],
};

function credentialsOf() {
  const { fetch } = scriptedFetch(repliesOf());
  return oauth({ clientId: 'machine', clientSecret: 'hush', issuer: LOGIN, fetch });
}

describe('a token stays at the origin that it is for', () => {
  it.for([301, 302, 303, 307, 308])('where a guarded card is redirected elsewhere (%s)', async (status) => {
    const answer: Answer = (request) => {
      if (new URL(request.url).host !== 'agent.example') return jsonOf(cardOf());
      if (!request.headers.has('authorization')) {
        return new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
      }
      return new Response('', { status, headers: { location: 'https://evil.example/card.json' } });
    };
    const { fetch, sent } = fetchOf(answer);
    await A2AClient.connect(AGENT, { fetch, credentials: credentialsOf() });
    expect(sent.filter(({ headers }) => headers.has('authorization')).map(({ url }) => url.host)).toEqual([
      'agent.example',
    ]);
    expect(sent.at(-1)?.url.host).toBe('evil.example');
  });

  it('where the card leads elsewhere', async () => {
    const supportedInterfaces = [
      { url: 'https://evil.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ];
    const { fetch, sent } = fetchOf((request) =>
      request.method === 'GET'
        ? jsonOf(cardOf({ ...BEARER, supportedInterfaces }))
        : new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
    );
    const agent = await A2AClient.connect(AGENT, { fetch, credentials: credentialsOf(), retry: false });
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(sent.filter(({ headers }) => headers.has('authorization'))).toEqual([]);
  });

  it('where an allowed origin is redirected to: it gets a token of its own', async () => {
    const { fetch, sent } = fetchOf(async (request) => {
      const { host } = new URL(request.url);
      if (request.method === 'GET') return jsonOf(cardOf(BEARER));
      if (host === 'agent.example') {
        return new Response('', { status: 307, headers: { location: 'https://api.example/rpc' } });
      }
      const { id } = (await request.json()) as { id: number };
      return jsonOf({
        jsonrpc: '2.0',
        id,
        result: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
      });
    });
    const allowedOrigins = ['https://api.example'];
    const agent = await A2AClient.connect(AGENT, { fetch, credentials: credentialsOf(), allowedOrigins });
    await agent.getTask('t');
    const shown = sent.filter(({ headers }) => headers.has('authorization'));
    expect(shown.map(({ url, headers }) => `${url.host} ${headers.get('authorization')}`)).toEqual([
      'agent.example Bearer token-1',
      'api.example Bearer token-2',
    ]);
  });
});

describe('a guarded card', () => {
  it('is read where the server takes passwords, too, and names them first', async () => {
    const issuer = await startAuthorizationServer();
    const users = { ada: await hashPassword('secret') };
    const auth: A2AServerOptions['auth'] = [basic({ users }), jwt({ issuer: issuer.url, audience: 'agents' })];
    const { server } = startServer(
      agentOf((task) => `You are ${task.user?.subject}`),
      { auth, card: { access: 'guarded' } },
    );
    for (const path of ['', '/a2a', '/a2a/agents/test']) issuer.audiences.set(`http://localhost${path}`, 'agents');
    const send: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      return request.url.startsWith('http://localhost/') ? server.fetch(request) : fetch(request);
    };
    const refused = await send('http://localhost/.well-known/agent-card.json');
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic .*Bearer /);
    const credentials = oauth({ clientId: 'machine', clientSecret: 'hush:hush', issuer: issuer.url, fetch: send });
    const agent = await A2AClient.connect('http://localhost', { credentials, fetch: send });
    expect(await agent.run('Who am I?')).toBe('You are user-of-machine');
  });

  it('is read with a new token where the one that was kept has become void', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer, { card: { access: 'guarded' } });
    const old: Grant = {
      ...{ issuer: issuer.url, tokenUrl: `${issuer.url}/token`, clientId: 'public', resource: url, scopes: [] },
      ...{ accessToken: 'void', renewAt: Date.now() + 3_600_000 },
    };
    let kept: readonly Grant[] = [old];
    const grants: GrantStore = {
      read: () => kept,
      write: (_origin, written) => {
        kept = written;
      },
    };
    const flow = authorizationCode(loopback({ open: async (page) => void (await fetch(page)) }));
    const agent = await A2AClient.connect(url, { credentials: oauth({ clientId: 'public', flow, grants }) });
    expect(await agent.run('Who am I?')).toBe('You are user-of-public');
    expect(kept.map(({ accessToken }) => accessToken === 'void')).toEqual([false]);
  });
});
