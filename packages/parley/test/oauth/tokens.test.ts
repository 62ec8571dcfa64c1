import { A2AClient } from 'parley-a2a';
import { deviceCode, type Flow, type Grant, type GrantStore, oauth } from 'parley-a2a/oauth';
import { describe, expect, it } from 'vitest';
import { settableTiming } from '../client/support/settable-timing.ts';
import { startAuthorizationServer } from './support/authorization-server.ts';
import { startGuardedAgent } from './support/guarded-agent.ts';
import { AGENT, LOGIN, metadata, repliesOf, requestFor, scriptedFetch } from './support/scripted.ts';

const CLIENT = { clientId: 'machine', clientSecret: 'hush', issuer: LOGIN };

/** A flow that asks nobody. */
const atOnce: Flow = {
  name: 'deviceCode',
  run: ({ post, endpoints, scope, resource }) =>
    post(endpoints.tokenUrl, { grant_type: 'mine', ...scope, ...resource }),
};

describe('a token', () => {
  it('is asked for once by calls that come together, and kept until it is nearly over', async () => {
    const { fetch, sent } = scriptedFetch(repliesOf());
    const timing = settableTiming();
    const credentials = oauth({ clientId: 'machine', flow: atOnce, fetch, timing });
    const tokens = await Promise.all([1, 2, 3].map(() => credentials(requestFor())));
    expect(tokens).toEqual(['token-1', 'token-1', 'token-1']);
    timing.time += 3_530_000;
    expect(await credentials(requestFor())).toBe('token-1');
    timing.time += 20_000;
    expect(await credentials(requestFor())).toBe('token-2');
    const posted = sent.filter(({ method }) => method === 'POST').map(({ form }) => Object.fromEntries(form));
    expect(posted).toEqual([
      { grant_type: 'mine', scope: 'read write', resource: `${AGENT}/a2a`, client_id: 'machine' },
      { grant_type: 'refresh_token', refresh_token: 'refresh-1', resource: `${AGENT}/a2a`, client_id: 'machine' },
    ]);
  });

  it('is for its scopes and its resource; another purpose needs another one', async () => {
    const { fetch } = scriptedFetch(
      repliesOf({
        [`${AGENT}/.well-known/oauth-protected-resource/b`]: { resource: `${AGENT}/b`, authorization_servers: [LOGIN] },
      }),
    );
    const credentials = oauth({ ...CLIENT, fetch });
    expect(await credentials(requestFor({ scopes: ['read', 'write'] }))).toBe('token-1');
    expect(await credentials(requestFor({ scopes: ['write'] }))).toBe('token-1');
    expect(await credentials(requestFor({ scopes: ['more'] }))).toBe('token-2');
    expect(await credentials(requestFor({ url: `${AGENT}/b` }))).toBe('token-3');
    expect(await credentials(requestFor({ url: `${AGENT}/b/c` }))).toBe('token-3');
    expect(await credentials(requestFor({ scopes: ['read'] }))).toBe('token-1');
  });

  it('is never that of another origin', async () => {
    const { fetch, sent } = scriptedFetch(repliesOf());
    const credentials = oauth({ ...CLIENT, fetch });
    expect(await credentials(requestFor())).toBe('token-1');
    expect(await credentials(requestFor({ url: 'https://agent.example:8443/a2a' }))).toBe('token-2');
    expect(sent.at(-1)?.form.get('resource')).toBe('https://agent.example:8443');
  });

  it('that was refused is not sent again', async () => {
    const { fetch } = scriptedFetch(repliesOf());
    const credentials = oauth({ ...CLIENT, fetch });
    expect(await credentials(requestFor())).toBe('token-1');
    const challenge = 'Bearer error="invalid_token"';
    expect(await credentials(requestFor({ challenge, refused: 'token-1' }))).toBe('token-2');
    // A call that was refused before the token was renewed gets the new one.
    expect(await credentials(requestFor({ challenge, refused: 'token-1' }))).toBe('token-2');
  });

  it('for something else than what the challenge leads to is not renewed in vain', async () => {
    const place = `${AGENT}/metadata`;
    const { fetch, sent } = scriptedFetch(
      repliesOf({ [place]: { resource: `${AGENT}/`, authorization_servers: [LOGIN] } }),
    );
    const credentials = oauth({ clientId: 'public', flow: atOnce, fetch });
    expect(await credentials(requestFor())).toBe('token-1');
    const challenge = `Bearer error="invalid_token", resource_metadata="${place}"`;
    expect(await credentials(requestFor({ challenge, refused: 'token-1' }))).toBe('token-2');
    expect(sent.at(-1)?.form.get('grant_type')).toBe('mine');
    expect(sent.at(-1)?.form.get('resource')).toBe(`${AGENT}/`);
  });

  it('is forgotten by signOut', async () => {
    const { fetch } = scriptedFetch(repliesOf());
    const credentials = oauth({ ...CLIENT, fetch });
    expect(await credentials(requestFor())).toBe('token-1');
    await credentials.signOut(AGENT);
    expect(await credentials(requestFor())).toBe('token-2');
  });
});

describe('a refresh token', () => {
  it('that is void makes way for the flow; a server that is away does not', async () => {
    let answer: () => Response = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
    let tokens = 0;
    const { fetch } = scriptedFetch(
      repliesOf({
        [`${LOGIN}/token`]: ({ form }) => {
          if (form.get('grant_type') === 'refresh_token') return answer();
          tokens += 1;
          return { access_token: `token-${tokens}`, refresh_token: 'r', expires_in: 60 };
        },
      }),
    );
    const timing = settableTiming();
    const credentials = oauth({ clientId: 'public', flow: atOnce, fetch, timing });
    expect(await credentials(requestFor())).toBe('token-1');
    timing.time += 60_000;
    expect(await credentials(requestFor())).toBe('token-2');
    answer = () => new Response('', { status: 503 });
    timing.time += 60_000;
    await expect(credentials(requestFor())).rejects.toMatchObject({ code: 'UNAUTHENTICATED', httpStatus: 503 });
    expect(tokens).toBe(2);
  });

  it('that another process has used meanwhile is not the end', async () => {
    const timing = settableTiming();
    const other: Grant = {
      ...{ issuer: LOGIN, tokenUrl: `${LOGIN}/token`, clientId: 'public', resource: `${AGENT}/a2a`, scopes: [] },
      ...{ accessToken: 'theirs', refreshToken: 'new', renewAt: timing.time + 1000 },
    };
    let kept: readonly Grant[] = [{ ...other, accessToken: 'ours', refreshToken: 'old', renewAt: timing.time }];
    const grants: GrantStore = {
      read: () => kept,
      write: (_origin, written) => {
        kept = written;
      },
    };
    const { fetch } = scriptedFetch(
      repliesOf({
        [`${LOGIN}/token`]: () => {
          kept = [other];
          return Response.json({ error: 'invalid_grant' }, { status: 400 });
        },
      }),
    );
    expect(await oauth({ clientId: 'public', grants, fetch, timing })(requestFor())).toBe('theirs');
  });
});

describe('a secret', () => {
  it('goes to no server that only the agent names', async () => {
    const { fetch, sent } = scriptedFetch(repliesOf());
    await expect(oauth({ clientId: 'machine', clientSecret: 'hush', fetch })(requestFor())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining(`set issuer: '${LOGIN}'`),
    });
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('goes to the agent’s own origin', async () => {
    const { fetch } = scriptedFetch({
      [`${AGENT}/.well-known/oauth-protected-resource`]: { resource: AGENT, authorization_servers: [AGENT] },
      [`${AGENT}/.well-known/openid-configuration`]: { issuer: AGENT, token_endpoint: `${AGENT}/token` },
      [`${AGENT}/token`]: { access_token: 'own' },
    });
    expect(await oauth({ clientId: 'machine', clientSecret: 'hush', fetch })(requestFor())).toBe('own');
  });

  it.for([
    ['client_secret_post'],
    undefined,
  ])('is sent in the form where a server wants it there: %s', async (methods) => {
    const { fetch, sent } = scriptedFetch(
      repliesOf({
        [`${LOGIN}/.well-known/oauth-authorization-server`]: metadata({
          token_endpoint_auth_methods_supported: methods,
        }),
        [`${LOGIN}/token`]: ({ form }) =>
          form.get('client_secret') === 'hush'
            ? { access_token: 'in-form' }
            : Response.json({ error: 'invalid_client' }, { status: 401 }),
      }),
    );
    expect(await oauth({ ...CLIENT, fetch })(requestFor())).toBe('in-form');
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(methods ? 1 : 2);
  });
});

it('a resource may be set, or left out', async () => {
  const { fetch, sent } = scriptedFetch(repliesOf());
  await oauth({ ...CLIENT, fetch, resource: 'urn:agents' })(requestFor());
  await oauth({ ...CLIENT, fetch, resource: false })(requestFor());
  const posted = sent.filter(({ method }) => method === 'POST').map(({ form }) => form.get('resource'));
  expect(posted).toEqual(['urn:agents', null]);
});

it('a token of our server that ends is renewed by the refresh token, without a person', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer);
  let people = 0;
  const flow = deviceCode({
    onCode: ({ userCode }) => {
      people += 1;
      issuer.decide(userCode, true);
    },
  });
  const timing = settableTiming();
  timing.time = Date.now();
  const credentials = oauth({ clientId: 'public', flow, timing });
  const agent = new A2AClient(url, { credentials });
  await credentials.signIn(agent);
  expect(await agent.run('Who am I?')).toBe('You are user-of-public');
  timing.time += 3_600_000;
  expect(await agent.run('Still?')).toBe('You are user-of-public');
  timing.time += 3_600_000;
  expect(await agent.run('Still?')).toBe('You are user-of-public');
  expect(people).toBe(1);
  const grants = issuer.asked.filter(({ path }) => path === '/token').map(({ form }) => form.get('grant_type'));
  expect(grants.slice(-2)).toEqual(['refresh_token', 'refresh_token']);
});
