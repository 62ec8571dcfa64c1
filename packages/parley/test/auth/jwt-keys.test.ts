import { type JwtOptions, jwt } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { reasonOf, WrongCredential } from '../../src/server/auth/refusals.ts';
import { eventually } from '../support/eventually.ts';
import { AUDIENCE, sendJson, signingKey, startIssuer, tokenOf } from './support/issuer.ts';
import { bearer, refusalOf, testTools } from './support/requests.ts';

const MINUTE = 60_000;

async function guarded(options: Partial<JwtOptions> = {}) {
  const [old, fresh] = [await signingKey('old'), await signingKey('fresh')];
  const issuer = await startIssuer([old]);
  const tools = testTools();
  const guard = jwt({ issuer: issuer.url, audience: AUDIENCE, ...options });
  await guard.open?.(tools);
  const claims = { iss: issuer.url, exp: tools.time / 1000 + 86_400 };
  const loads = () => issuer.asked.filter((path) => path === '/jwks').length;
  return { old, fresh, issuer, tools, guard, claims, loads };
}

describe('keys of an issuer', () => {
  it('are loaded again for an unknown key id, so that new keys work at once', async () => {
    const { old, fresh, issuer, tools, guard, claims, loads } = await guarded();
    await guard.authenticate(bearer(await tokenOf(old, claims)));
    issuer.keys = [old.jwk, fresh.jwk];
    tools.time += MINUTE;
    expect(await guard.authenticate(bearer(await tokenOf(fresh, claims)))).toMatchObject({ subject: 'alice' });
    expect(loads()).toBe(2);
  });

  it('are not asked for again and again by random key ids', async () => {
    const { old, fresh, tools, guard, claims, loads } = await guarded();
    await guard.authenticate(bearer(await tokenOf(old, claims)));
    tools.time += MINUTE;
    for (let round = 0; round < 20; round++) {
      const token = await tokenOf(fresh, claims, { header: { kid: `random-${round}` } });
      expect(await refusalOf(() => guard.authenticate(bearer(token)))).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
    expect(loads()).toBe(2);
    tools.time += MINUTE;
    const burst = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tokenOf(fresh, claims, { header: { kid: `burst-${index}` } })),
    );
    await Promise.all(burst.map((token) => refusalOf(() => guard.authenticate(bearer(token)))));
    expect(loads()).toBe(3);
  });

  it('stay in use while the issuer is down, which the log tells', async () => {
    const { old, fresh, issuer, tools, guard, claims } = await guarded();
    await guard.authenticate(bearer(await tokenOf(old, claims)));
    issuer.isDown = true;
    for (let round = 0; round < 3; round++) {
      tools.time += 11 * MINUTE;
      const token = await tokenOf(old, { ...claims, round });
      expect(await guard.authenticate(bearer(token))).toMatchObject({ subject: 'alice' });
      await eventually(() => tools.lines.length).toBe(round + 1);
    }
    expect(tools.lines[0]).toMatch(/^The keys of an issuer cannot be loaded; the known ones stay in use/);
    const unknown = bearer(await tokenOf(fresh, claims));
    expect(await refusalOf(() => guard.authenticate(unknown))).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('that never came let nobody in, and are asked for again after a moment', async () => {
    const { old, issuer, tools, guard, claims } = await guarded();
    issuer.isDown = true;
    const other = jwt({ issuer: issuer.url, audience: AUDIENCE });
    await other.open?.(tools);
    const request = bearer(await tokenOf(old, claims));
    expect(await refusalOf(() => other.authenticate(request))).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The credentials cannot be checked at the moment',
    });
    const asked = issuer.asked.length;
    expect(await refusalOf(() => other.authenticate(request))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(issuer.asked).toHaveLength(asked);
    issuer.isDown = false;
    tools.time += 1_000;
    expect(await other.authenticate(request)).toMatchObject({ subject: 'alice' });
    expect(await guard.authenticate(request)).toMatchObject({ subject: 'alice' });
  });

  it('are not waited for by a server that stops, and are loaded when it starts again', async () => {
    const { old, issuer, tools, guard, claims } = await guarded();
    issuer.answers.set('/jwks', () => {});
    const other = jwt({ issuer: issuer.url, audience: AUDIENCE });
    await other.open?.(tools);
    const request = bearer(await tokenOf(old, claims));
    const waiting = refusalOf(() => other.authenticate(request));
    await eventually(() => issuer.asked.at(-1)).toBe('/jwks');
    await other.close?.();
    expect(await waiting).toMatchObject({ code: 'UNAVAILABLE' });
    expect(tools.lines).toEqual([]);
    issuer.answers.delete('/jwks');
    tools.time += 1_000;
    await other.open?.(tools);
    expect(await other.authenticate(request)).toMatchObject({ subject: 'alice' });
    await guard.close?.();
  });

  it('that were taken back no longer let in the tokens that are remembered', async () => {
    const { old, fresh, issuer, tools, guard, claims, loads } = await guarded();
    const request = bearer(await tokenOf(old, claims));
    await guard.authenticate(request);
    issuer.keys = [fresh.jwk];
    tools.time += 11 * MINUTE;
    await guard.authenticate(request);
    await eventually(loads).toBe(2);
    const outcome = async () => Promise.resolve(guard.authenticate(request)).then(() => 'let in', reasonOf);
    await eventually(outcome).toBeInstanceOf(WrongCredential);
  });
});

describe('an issuer that misbehaves', () => {
  async function attempt(
    prepare: (issuer: Awaited<ReturnType<typeof startIssuer>>, other: Awaited<ReturnType<typeof startIssuer>>) => void,
    options: Partial<JwtOptions> = {},
  ) {
    const key = await signingKey('k');
    const [issuer, other] = [await startIssuer([key]), await startIssuer([key])];
    prepare(issuer, other);
    const tools = testTools();
    const guard = jwt({ issuer: issuer.url, audience: AUDIENCE, ...options });
    await guard.open?.(tools);
    const request = bearer(await tokenOf(key, { iss: issuer.url }, { now: tools.time }));
    const outcome = await Promise.resolve(guard.authenticate(request)).catch((error: { code: string }) => error.code);
    return { outcome, log: tools.lines.join('\n'), other };
  }

  it('and names keys of another origin is not followed, unless that origin is trusted', async () => {
    const key = await signingKey('k');
    const [issuer, other] = [await startIssuer(), await startIssuer([key])];
    issuer.answers.set('/.well-known/openid-configuration', (_, response) =>
      sendJson(response, { issuer: issuer.url, jwks_uri: `${other.url}/jwks` }),
    );
    const request = bearer(await tokenOf(key, { iss: issuer.url }));
    const options = { issuer: issuer.url, audience: AUDIENCE };
    expect(await refusalOf(() => jwt(options).authenticate(request))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(other.asked).toEqual([]);
    const trusting = jwt({ ...options, trustedOrigins: [other.url] });
    expect(await trusting.authenticate(request)).toMatchObject({ subject: 'alice' });
  });

  it('and redirects to another origin is not followed', async () => {
    const { outcome, log, other } = await attempt((issuer, elsewhere) => {
      issuer.answers.set('/jwks', (_, response) =>
        response.writeHead(302, { location: `${elsewhere.url}/jwks` }).end(),
      );
    });
    expect(outcome).toBe('UNAVAILABLE');
    expect(log).toContain('redirects to another origin');
    expect(other.asked).toEqual([]);
  });

  it('and redirects inside its origin is followed, but not for ever', async () => {
    const inside = await attempt((issuer) => {
      issuer.answers.set('/jwks', (_, response) => response.writeHead(302, { location: '/moved' }).end());
      issuer.answers.set('/moved', (_, response) => sendJson(response, { keys: issuer.keys }));
    });
    expect(inside.outcome).toMatchObject({ subject: 'alice' });
    const round = await attempt((issuer) => {
      issuer.answers.set('/jwks', (_, response) => response.writeHead(302, { location: '/jwks' }).end());
    });
    expect(round.log).toContain('redirects more than 3 times');
  });

  it('and pretends to be another issuer is refused', async () => {
    const { outcome, log } = await attempt((issuer, elsewhere) => {
      issuer.answers.set('/.well-known/openid-configuration', (_, response) =>
        sendJson(response, { issuer: elsewhere.url, jwks_uri: `${issuer.url}/jwks` }),
      );
    });
    expect(outcome).toBe('UNAVAILABLE');
    expect(log).toContain('is of another issuer than');
  });

  it.each<[string, (url: string) => string, string]>([
    ['endless', () => `{"keys":[],"x":"${'x'.repeat(300_000)}"}`, 'is larger than 262144 bytes'],
    ['no JSON', () => '<html>', 'SyntaxError'],
    ['no object', () => '[]', 'is not a JSON object'],
    ['without keys', () => '{}', 'has no list of keys'],
    [
      'of too many keys',
      () => JSON.stringify({ keys: Array.from({ length: 101 }, () => ({ kty: 'RSA' })) }),
      'more than 100 keys',
    ],
    ['of nonsense', () => '{"keys":[1]}', 'JWKSInvalid'],
  ])('and sends a document that is %s is refused', async (_, body, problem) => {
    const { outcome, log } = await attempt((issuer) => {
      issuer.answers.set('/jwks', (_request, response) => response.end(body(issuer.url)));
    });
    expect(outcome).toBe('UNAVAILABLE');
    expect(log).toContain(problem);
  });

  it('and never answers is given up', async () => {
    const fetch = (_: string, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        expect(init?.signal).toBeInstanceOf(AbortSignal);
        expect(init?.redirect).toBe('manual');
        reject(new DOMException('The operation timed out', 'TimeoutError'));
      });
    const { outcome, log } = await attempt(() => {}, { fetch });
    expect(outcome).toBe('UNAVAILABLE');
    expect(log).toContain('TimeoutError');
  });
});
