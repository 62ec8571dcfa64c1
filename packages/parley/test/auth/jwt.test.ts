import { type JwtOptions, jwt } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { AUDIENCE, sendJson, signingKey, startIssuer, tokenOf } from './support/issuer.ts';
import { bearer, refusalOf, requestWith, testTools } from './support/requests.ts';

async function guarded(options: Partial<JwtOptions> = {}) {
  const key = await signingKey('one');
  const issuer = await startIssuer([key]);
  const tools = testTools();
  const guard = jwt({ issuer: issuer.url, audience: AUDIENCE, ...options });
  await guard.open?.(tools);
  const token = (claims = {}) => tokenOf(key, { iss: issuer.url, ...claims }, { now: tools.time });
  return { key, issuer, tools, guard, token };
}

describe('jwt()', () => {
  it('tells subject, scopes and claims of a token, with keys that it finds by discovery', async () => {
    const { guard, token, issuer } = await guarded();
    const identity = await guard.authenticate(bearer(await token({ scope: 'read write', team: { name: 'x' } })));
    expect(identity).toMatchObject({ subject: 'alice', scopes: ['read', 'write'], claims: { team: { name: 'x' } } });
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('is not concerned where there is no bearer token', async () => {
    const { guard } = await guarded();
    expect(guard.authenticate(requestWith({}))).toBeUndefined();
    expect(guard.authenticate(requestWith({ authorization: 'Basic YTpi' }))).toBeUndefined();
    expect(guard.authenticate(requestWith({ authorization: 'Bearer' }))).toBeUndefined();
  });

  it('remembers a token until it expires, and then knows it at once', async () => {
    const { guard, token, tools } = await guarded({ clockSkew: 10 });
    const request = bearer(await token());
    expect(guard.authenticate(request)).toBeInstanceOf(Promise);
    const first = await guard.authenticate(request);
    expect(guard.authenticate(request)).toBe(first);
    tools.time += 309_000;
    expect(guard.authenticate(request)).toBe(first);
    tools.time += 2_000;
    expect(await refusalOf(() => guard.authenticate(request))).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'The token has expired',
    });
  });

  it('shares claims between requests, so that nobody can change them', async () => {
    const { guard, token } = await guarded();
    const identity = await guard.authenticate(bearer(await token({ roles: { admin: false } })));
    expect(Object.isFrozen(identity)).toBe(true);
    expect(Object.isFrozen(identity?.claims?.roles)).toBe(true);
  });

  it.each([
    [{ scp: ['a', 'b'] }, ['a', 'b']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scope: ' a  b ' }, ['a', 'b']],
    [{ scope: 7 }, []],
    [{}, []],
  ])('reads the scopes of %j', async (claims, scopes) => {
    const { guard, token } = await guarded();
    expect((await guard.authenticate(bearer(await token(claims))))?.scopes).toEqual(scopes);
  });

  it('reads subject and scopes by functions of the host, and prefixes the subject', async () => {
    const { guard, token } = await guarded({
      subject: ({ client_id: id }) => id as string,
      scopes: ({ roles }) => roles as string[],
      subjectPrefix: 'corp:',
    });
    const identity = await guard.authenticate(bearer(await token({ client_id: 'robot', roles: ['x'] })));
    expect(identity).toMatchObject({ subject: 'corp:robot', scopes: ['x'] });
  });

  it.each([
    [{ sub: undefined }],
    [{ sub: '' }],
    [{ sub: 'a\nb' }],
    [{ sub: 'x'.repeat(1025) }],
  ])('refuses a token without a subject that can be used: %j', async (claims) => {
    const { guard, token } = await guarded();
    const request = bearer(await token(claims));
    expect(await refusalOf(() => guard.authenticate(request))).toMatchObject({ why: 'the claims name no subject' });
  });

  it.each(['ES256', 'RS256', 'PS256', 'EdDSA'])('takes %s by default', async (algorithm) => {
    const key = await signingKey('k', algorithm);
    const guard = jwt({ issuer: 'https://issuer.example', audience: AUDIENCE, jwks: { keys: [key.jwk] } });
    const token = await tokenOf(key, { iss: 'https://issuer.example' });
    expect(await guard.authenticate(bearer(token))).toMatchObject({ subject: 'alice' });
  });

  it('tries the keys that fit a token which names none', async () => {
    const [one, two] = [await signingKey('one'), await signingKey('two')];
    const guard = jwt({ issuer: 'https://issuer.example', audience: AUDIENCE, jwks: { keys: [one.jwk, two.jwk] } });
    const claims = { iss: 'https://issuer.example' };
    const token = await tokenOf(two, claims, { header: { kid: undefined } });
    expect(await guard.authenticate(bearer(token))).toMatchObject({ subject: 'alice' });
    const stranger = await tokenOf(await signingKey('x'), claims, { header: { kid: undefined } });
    expect(await refusalOf(() => guard.authenticate(bearer(stranger)))).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('what jwt() declares', () => {
  const base = { issuer: 'https://issuer.example/', audience: AUDIENCE };

  it('is OpenID Connect with discovery, OAuth where flows are given, else a bearer JWT', () => {
    const flows = { clientCredentials: { tokenUrl: 'https://issuer.example/token', scopes: {} } };
    expect(jwt(base).scheme).toEqual({
      type: 'openIdConnect',
      openIdConnectUrl: 'https://issuer.example/.well-known/openid-configuration',
    });
    expect(jwt({ ...base, flows }).scheme).toEqual({ type: 'oauth2', flows });
    expect(jwt({ ...base, jwks: { keys: [] } }).scheme).toEqual({
      type: 'http',
      scheme: 'Bearer',
      bearerFormat: 'JWT',
    });
  });

  it('is a bearer JWT where the issuer speaks OAuth alone (RFC 8414)', async () => {
    const key = await signingKey('one');
    const issuer = await startIssuer([key]);
    const url = `${issuer.url}/tenant`;
    issuer.answers.set('/.well-known/oauth-authorization-server/tenant', (_, response) =>
      sendJson(response, { issuer: url, jwks_uri: `${issuer.url}/jwks` }),
    );
    const guard = jwt({ issuer: url, audience: AUDIENCE });
    await guard.authenticate(bearer(await tokenOf(key, { iss: url })));
    expect(guard.scheme).toMatchObject({ type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' });
  });

  it.each<[Partial<JwtOptions>, string]>([
    [{ issuer: '' }, 'jwt: issuer is missing'],
    [{ audience: [] }, 'jwt: audience is missing'],
    [{ algorithms: ['none'] }, 'jwt: the algorithm none cannot be used'],
    [{ algorithms: ['HS256'] }, 'jwt: the algorithm HS256 cannot be used with public keys'],
    [{ algorithms: [] }, 'jwt: algorithms must not be empty'],
    [{ secret: 'short' }, 'jwt: secret must have at least 32 bytes'],
    [{ secret: 'x'.repeat(32), algorithms: ['RS256'] }, 'jwt: the algorithm RS256 cannot be used with a secret'],
    [{ secret: 'x'.repeat(32), jwks: { keys: [] } }, 'jwt: give either jwks or secret'],
    [{ issuer: 'http://issuer.example' }, 'jwt: issuer must be an https address'],
    [{ jwks: 'http://issuer.example/jwks' }, 'jwt: jwks must be an https address'],
    [{ jwks: 'nonsense' }, 'jwt: jwks must be an address'],
    [{ clockSkew: -1 }, 'jwt: clockSkew must be'],
  ])('is checked: %j', (options, problem) => {
    expect(() => jwt({ ...base, ...options })).toThrow(problem);
  });
});
