import type { ServerResponse } from 'node:http';
import { authorizationCode, deviceCode, oauth } from 'parley-a2a/oauth';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startAuthorizationServer } from './support/authorization-server.ts';
import { AGENT, LOGIN, metadata, repliesOf, requestFor, scriptedFetch } from './support/scripted.ts';

const RESOURCE = `${AGENT}/.well-known/oauth-protected-resource/a2a`;
const METADATA = `${LOGIN}/.well-known/oauth-authorization-server`;

/** A login on a page whose answer is made of what was asked; nothing but the answer can go wrong. */
async function loginWith(
  answerOf: (page: URL) => Record<string, string>,
  replies: Parameters<typeof repliesOf>[0] = {},
): Promise<{ readonly result: unknown; readonly posted: number; readonly pages: readonly URL[] }> {
  const { fetch, sent } = scriptedFetch(repliesOf(replies));
  const pages: URL[] = [];
  const flow = authorizationCode({
    redirectUri: 'https://app.example/callback',
    async visit(address) {
      const page = new URL(address);
      pages.push(page);
      return `https://app.example/callback?${new URLSearchParams(answerOf(page)).toString()}`;
    },
  });
  const result = await oauth({ clientId: 'public', flow, fetch })(requestFor()).catch((error: unknown) => error);
  return { result, posted: sent.filter(({ method }) => method === 'POST').length, pages };
}

const stateOf = (page: URL) => page.searchParams.get('state') ?? '';

describe('the answer of a page', () => {
  it('is redeemed where all is right', async () => {
    const { result, pages } = await loginWith((page) => ({ code: 'c', state: stateOf(page), iss: LOGIN }));
    expect(result).toBe('token-1');
    const asked = Object.fromEntries(pages[0]?.searchParams ?? []);
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: 'public',
      redirect_uri: 'https://app.example/callback',
      resource: `${AGENT}/a2a`,
      code_challenge_method: 'S256',
    });
    expect(asked.code_challenge).toMatch(/^[\w-]{43}$/);
    expect(asked.state).toMatch(/^[\w-]{43}$/);
  });

  it.for([
    ['another state', () => ({ code: 'c', state: 'x', iss: LOGIN }), 'its state differs'],
    ['no state', () => ({ code: 'c', iss: LOGIN }), 'its state differs'],
    [
      'another issuer',
      (page: URL) => ({ code: 'c', state: stateOf(page), iss: 'https://evil.example' }),
      'evil.example',
    ],
    ['no code', (page: URL) => ({ state: stateOf(page) }), 'has no code'],
    [
      'an error',
      (page: URL) => ({ error: 'access_denied', error_description: 'No\u001b[2J', state: stateOf(page) }),
      'access_denied: No [2J',
    ],
  ] as const)('with %s is refused, and nothing is redeemed', async ([, answerOf, problem]) => {
    const { result, posted } = await loginWith(answerOf);
    expect(result).toMatchObject({ code: 'UNAUTHENTICATED', message: expect.stringContaining(problem) });
    expect(posted).toBe(0);
  });

  it('must name the issuer where that promises to be named', async () => {
    const { result, posted } = await loginWith((page) => ({ code: 'c', state: stateOf(page) }), {
      [METADATA]: metadata({ authorization_response_iss_parameter_supported: true }),
    });
    expect(result).toMatchObject({ message: `The answer of the page names nobody as its issuer, not ${LOGIN}` });
    expect(posted).toBe(0);
  });
});

describe('a server that only the agent names', () => {
  const GOOD = 'https://good.example';
  const between = { [METADATA]: metadata({ authorization_endpoint: `${GOOD}/authorize` }) };

  it('cannot stand between a person and the page of another one', async () => {
    const { result, posted, pages } = await loginWith((page) => ({ code: 'c', state: stateOf(page) }), between);
    expect(result).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining(`set issuer to '${LOGIN}'`),
    });
    expect([posted, pages]).toEqual([0, []]);
  });

  it.for<Record<string, string>>([{}, { iss: GOOD }])('nor by the promise to name itself: %o', async (answer) => {
    const promised = metadata({
      authorization_endpoint: `${GOOD}/authorize`,
      authorization_response_iss_parameter_supported: true,
    });
    const { result, posted } = await loginWith((page) => ({ code: 'c', state: stateOf(page), ...answer }), {
      [METADATA]: promised,
    });
    expect(result).toMatchObject({ code: 'UNAUTHENTICATED', message: expect.stringContaining('as its issuer') });
    expect(posted).toBe(0);
  });

  it('cannot do so by addresses on a card', async () => {
    const { fetch, sent } = scriptedFetch({});
    const flows = {
      authorizationCode: { authorizationUrl: `${GOOD}/authorize`, tokenUrl: `${LOGIN}/token`, scopes: {} },
    };
    const flow = authorizationCode({
      redirectUri: 'https://app.example/',
      visit: () => Promise.reject(new Error('visited')),
    });
    const request = requestFor({ scheme: { type: 'oauth2', flows } });
    await expect(oauth({ clientId: 'public', flow, fetch })(request)).rejects.toMatchObject({
      message: expect.stringContaining('sends people to pages of https://good.example'),
    });
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it.for([
    'verification_uri',
    'verification_uri_complete',
  ])('cannot have a code typed at another one: %s', async (name) => {
    const begun = { device_code: 'd', user_code: 'U', verification_uri: `${LOGIN}/go`, [name]: `${GOOD}/device` };
    const { fetch } = scriptedFetch(repliesOf({ [`${LOGIN}/device`]: begun }));
    const shown: object[] = [];
    const flow = deviceCode({ onCode: (code) => void shown.push(code) });
    await expect(oauth({ clientId: 'public', flow, fetch })(requestFor())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(shown).toEqual([]);
    const controller = new AbortController();
    const asked = deviceCode({ onCode: () => controller.abort(new Error('shown')) });
    const named = oauth({ clientId: 'public', flow: asked, fetch, issuer: LOGIN, signal: controller.signal });
    await expect(named(requestFor())).rejects.toThrow('shown');
  });
});

describe('an authorization server is not asked where', () => {
  it.for([
    ['its metadata is another issuer’s', { [METADATA]: metadata({ issuer: 'https://evil.example' }) }, 'evil.example'],
    ['its metadata has no issuer', { [METADATA]: metadata({ issuer: undefined }) }, 'another issuer'],
    ['its issuer has a slash more', { [METADATA]: metadata({ issuer: `${LOGIN}/` }) }, 'another issuer'],
    [
      'it has plain http',
      { [METADATA]: metadata({ token_endpoint: 'http://login.example/token' }) },
      'https is needed',
    ],
    [
      'it is on this machine and the agent is not',
      { [METADATA]: metadata({ token_endpoint: 'http://127.0.0.1:1/token' }) },
      'on this machine, and the agent is not',
    ],
    [
      'its page is no page',
      { [METADATA]: metadata({ authorization_endpoint: 'javascript:alert(1)' }) },
      'authorization_endpoint',
    ],
    [
      'its address has a password',
      { [METADATA]: metadata({ token_endpoint: 'https://a:b@login.example/t' }) },
      'token_endpoint',
    ],
    ['it has no tokens', { [METADATA]: metadata({ token_endpoint: undefined }) }, 'no address for tokens'],
    [
      'it takes no PKCE by S256',
      { [METADATA]: metadata({ code_challenge_methods_supported: ['plain'] }) },
      'does not offer authorizationCode',
    ],
    [
      'it redirects',
      { [METADATA]: new Response(null, { status: 302, headers: { location: 'https://evil.example/' } }) },
      'has no metadata',
    ],
    [
      'the agent names plain http',
      { [RESOURCE]: { resource: `${AGENT}/a2a`, authorization_servers: ['http://login.example'] } },
      'https is needed',
    ],
    [
      'the agent names this machine',
      { [RESOURCE]: { resource: `${AGENT}/a2a`, authorization_servers: ['http://localhost:1'] } },
      'on this machine',
    ],
    [
      'the agent speaks for another resource',
      { [RESOURCE]: { resource: 'https://bank.example', authorization_servers: [LOGIN] } },
      'another resource',
    ],
    [
      'the agent speaks for another path',
      { [RESOURCE]: { resource: `${AGENT}/a2`, authorization_servers: [LOGIN] } },
      'another resource',
    ],
  ] as const)('%s', async ([, replies, problem]) => {
    const { result, posted, pages } = await loginWith((page) => ({ code: 'c', state: stateOf(page) }), replies);
    expect(result).toMatchObject({ message: expect.stringContaining(problem) });
    expect([posted, pages]).toEqual([0, []]);
  });

  it('a challenge leads to the metadata of another origin', async () => {
    const { fetch, urls } = scriptedFetch(repliesOf());
    const challenge = 'Bearer resource_metadata="https://evil.example/.well-known/oauth-protected-resource"';
    const credentials = oauth({ clientId: 'x', clientSecret: 'y', issuer: LOGIN, fetch });
    await expect(credentials(requestFor({ challenge }))).rejects.toMatchObject({
      message: expect.stringContaining('at another origin, https://evil.example'),
    });
    expect(urls()).toEqual([]);
  });

  it('the user wants another one', async () => {
    const { fetch, urls } = scriptedFetch(repliesOf());
    const credentials = oauth({ clientId: 'x', clientSecret: 'y', issuer: 'https://ours.example', fetch });
    await expect(credentials(requestFor())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('takes no tokens of https://ours.example'),
    });
    expect(urls()).toEqual([RESOURCE]);
  });

  it('the agent itself has plain http', async () => {
    const { fetch, sent } = scriptedFetch({});
    const credentials = oauth({ clientId: 'x', clientSecret: 'y', issuer: LOGIN, fetch });
    await expect(credentials(requestFor({ url: 'http://agent.example/a2a' }))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('https is needed'),
    });
    expect(sent).toEqual([]);
  });

  it.for([
    [
      'a secret would follow a redirect',
      new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }),
      'redirects',
    ],
    ['the token is none', { access_token: 'a\r\nx: y' }, 'no token that can be sent'],
    ['the token is too long', { access_token: 'x'.repeat(20_000) }, 'no token that can be sent'],
    ['the token is of another kind', { access_token: 'x', token_type: 'DPoP' }, 'not a Bearer token'],
    ['there is no JSON', new Response('<html>'), 'status 200'],
  ] as const)('%s', async ([, reply, problem]) => {
    const { fetch, urls } = scriptedFetch(repliesOf({ [`${LOGIN}/token`]: reply }));
    const credentials = oauth({ clientId: 'x', clientSecret: 'y', issuer: LOGIN, fetch });
    await expect(credentials(requestFor())).rejects.toMatchObject({ message: expect.stringContaining(problem) });
    expect(urls().filter((url) => url.includes('evil'))).toEqual([]);
  });
});

/** Writes for as long as anybody reads. */
function writeForever(response: ServerResponse): void {
  const chunk = `{"issuer":"${'x'.repeat(2 ** 16)}`;
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

it.for([
  '/.well-known/oauth-authorization-server',
  '/token',
  '/device',
])('an answer of %s without an end is cut off', async (path) => {
  const issuer = await startAuthorizationServer();
  const closed = new Promise<void>((resolve) => {
    issuer.answers.set(path, (_request, response) => {
      response.on('close', resolve);
      response.writeHead(200, { 'content-type': 'application/json' });
      writeForever(response);
    });
  });
  const flow = deviceCode({ onCode: ({ userCode }) => issuer.decide(userCode, true) });
  const url = 'http://127.0.0.1:9/a2a';
  issuer.audiences.set('http://127.0.0.1:9', 'agents');
  const credentials = oauth({
    clientId: 'public',
    flow,
    issuer: issuer.url,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return request.url.startsWith(issuer.url) ? fetch(request) : new Response('', { status: 404 });
    },
  });
  await expect(credentials(requestFor({ url }))).rejects.toMatchObject({
    code: 'INVALID_RESPONSE',
    message: expect.stringContaining('larger than the 262144 bytes'),
  });
  await closed;
});

it('a server that does not answer is not waited for', async () => {
  const limits: number[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    limits.push(milliseconds);
    return AbortSignal.any([AbortSignal.abort(new Error('time is up'))]);
  });
  onTestFinished(() => spy.mockRestore());
  const hanging: typeof fetch = (_input, init) =>
    new Promise((_, reject) => {
      if (init?.signal?.aborted) reject(init.signal.reason);
    });
  const credentials = oauth({ clientId: 'x', clientSecret: 'y', issuer: LOGIN, fetch: hanging });
  await expect(credentials(requestFor())).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: `${AGENT} did not respond within 30000 ms`,
  });
  expect(limits).toEqual([30_000]);
});

it('a login ends with its signal', async () => {
  const controller = new AbortController();
  const { fetch } = scriptedFetch(
    repliesOf({ [`${LOGIN}/device`]: { device_code: 'd', user_code: 'U', verification_uri: `${LOGIN}/go` } }),
  );
  const reason = new Error('enough');
  const flow = deviceCode({ onCode: () => controller.abort(reason) });
  const credentials = oauth({ clientId: 'public', flow, fetch, signal: controller.signal });
  await expect(credentials(requestFor())).rejects.toBe(reason);
});
