import { createHmac, createSecretKey } from 'node:crypto';
import { type CryptoKey, exportSPKI, importJWK, SignJWT } from 'jose';
import { jwt } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { AUDIENCE, signingKey, startIssuer, tokenOf } from './support/issuer.ts';
import { bearer, refusalOf, testTools } from './support/requests.ts';

const GENERIC = { code: 'UNAUTHENTICATED', message: 'The credentials are not valid' };

function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

const KEY = await signingKey('one', 'RS256');
/** Not the issuer's, under the same id. */
const SAME_ID = await signingKey('one', 'RS256');
const EVIL = await signingKey('evil', 'RS256');

async function guarded() {
  const key = KEY;
  const issuer = await startIssuer([key]);
  const tools = testTools();
  const guard = jwt({ issuer: issuer.url, audience: AUDIENCE });
  await guard.open?.(tools);
  const seconds = tools.time / 1000;
  const claims = { iss: issuer.url, sub: 'alice', aud: AUDIENCE, iat: seconds, exp: seconds + 300 };
  const token = (changes = {}, header = {}) => tokenOf(key, { ...claims, ...changes }, { header });
  const refusal = (text: string) => refusalOf(() => guard.authenticate(bearer(text)));
  return { key, issuer, tools, guard, claims, token, refusal };
}

describe('a forged token', () => {
  it.each(['none', 'None', 'NONE', ''])('without a signature is refused: alg "%s"', async (alg) => {
    const { claims, refusal } = await guarded();
    for (const signature of ['', 'AAAA']) {
      const text = `${encode({ alg, kid: 'one' })}.${encode(claims)}.${signature}`;
      expect(await refusal(text)).toMatchObject(GENERIC);
    }
  });

  it('that takes the public key for a shared secret is refused', async () => {
    const { key, claims, refusal } = await guarded();
    const publicKey = (await importJWK({ ...key.jwk }, 'RS256')) as CryptoKey;
    const secrets = [await exportSPKI(publicKey), JSON.stringify(key.jwk), String(key.jwk.n)];
    for (const secret of secrets) {
      for (const kid of ['one', undefined]) {
        const text = `${encode({ alg: 'HS256', kid })}.${encode(claims)}`;
        const signature = createHmac('sha256', secret).update(text).digest('base64url');
        expect(await refusal(`${text}.${signature}`)).toMatchObject(GENERIC);
      }
    }
  });

  it('of another key under a known key id is refused', async () => {
    const { claims, refusal } = await guarded();
    expect(await refusal(await tokenOf(SAME_ID, claims))).toMatchObject(GENERIC);
  });

  it('whose claims were exchanged is refused', async () => {
    const { claims, token, refusal } = await guarded();
    const [header, , signature] = (await token()).split('.');
    expect(await refusal(`${header}.${encode({ ...claims, sub: 'root' })}.${signature}`)).toMatchObject(GENERIC);
  });

  it('that brings its own key, or the address of one, makes nobody ask there', async () => {
    const { claims, issuer, refusal } = await guarded();
    const elsewhere = await startIssuer([EVIL]);
    const jwksUrl = `${elsewhere.url}/jwks`;
    const headers = [
      { jku: jwksUrl },
      { x5u: jwksUrl },
      { jwk: EVIL.jwk },
      { kid: jwksUrl },
      { kid: 'one', jwk: EVIL.jwk },
    ];
    for (const header of headers) {
      expect(await refusal(await tokenOf(EVIL, claims, { header }))).toMatchObject(GENERIC);
    }
    expect(elsewhere.asked).toEqual([]);
    expect(issuer.asked.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(2);
  });

  it.for([
    '../../../../dev/null',
    "' OR 1=1 --",
    '__proto__',
    'constructor',
    '\u0000',
    'one\r\nx: y',
    'x'.repeat(4000),
    '',
    {},
    ['one'],
    null,
    1,
  ])('with the key id %j finds no key', async (kid) => {
    const { claims, refusal } = await guarded();
    const text = `${encode({ alg: 'RS256', kid })}.${encode(claims)}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', EVIL.privateKey, Buffer.from(text));
    expect(await refusal(`${text}.${Buffer.from(signature).toString('base64url')}`)).toMatchObject(GENERIC);
  });

  it('with critical headers that nobody understands is refused', async () => {
    const { key, claims, refusal } = await guarded();
    const text = `${encode({ alg: 'RS256', kid: 'one', crit: ['exotic'], exotic: 1 })}.${encode(claims)}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key.privateKey, Buffer.from(text));
    expect(await refusal(`${text}.${Buffer.from(signature).toString('base64url')}`)).toMatchObject(GENERIC);
  });
});

describe('a token that was made for something else', () => {
  it('is refused: other audience, issuer, or none at all', async () => {
    const { token, refusal } = await guarded();
    for (const changes of [
      { aud: 'https://other.example' },
      { aud: [] },
      { aud: undefined },
      { aud: `${AUDIENCE}/` },
      { iss: 'https://evil.example' },
      { iss: undefined },
      { iss: [] },
    ]) {
      expect(await refusal(await token(changes))).toMatchObject(GENERIC);
    }
  });

  it('is refused before its time and after it, but for the difference of clocks', async () => {
    const { token, refusal, guard, claims, tools } = await guarded();
    const seconds = tools.time / 1000;
    expect(await refusal(await token({ exp: seconds - 61 }))).toMatchObject({ message: 'The token has expired' });
    expect(await refusal(await token({ nbf: seconds + 61 }))).toMatchObject({ message: 'The token is not valid yet' });
    expect(await refusal(await token({ exp: undefined }))).toMatchObject(GENERIC);
    expect(await refusal(await token({ exp: 'tomorrow' as unknown as number }))).toMatchObject(GENERIC);
    expect(await guard.authenticate(bearer(await token({ exp: seconds - 59 })))).toMatchObject({ subject: claims.sub });
    expect(await guard.authenticate(bearer(await token({ nbf: seconds + 59 })))).toMatchObject({ subject: claims.sub });
  });

  it('is told to have expired only where its signature is right', async () => {
    const { claims, refusal } = await guarded();
    expect(await refusal(await tokenOf(SAME_ID, { ...claims, exp: 1 }))).toMatchObject(GENERIC);
  });

  it('with a shared secret is taken only where the secret was given', async () => {
    const secret = 'a secret of thirty-two bytes, 32';
    const base = { issuer: 'https://issuer.example', audience: AUDIENCE };
    const text = await new SignJWT({ sub: 'alice' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(base.issuer)
      .setAudience(AUDIENCE)
      .setExpirationTime('5m')
      .sign(createSecretKey(Buffer.from(secret)));
    expect(await jwt({ ...base, secret }).authenticate(bearer(text))).toMatchObject({ subject: 'alice' });
    const oct = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256' };
    const guard = jwt({ ...base, jwks: { keys: [oct] } });
    expect(await refusalOf(() => guard.authenticate(bearer(text)))).toMatchObject(GENERIC);
  });
});

describe('text that is no token', () => {
  it.each([
    ['dots', '.'.repeat(8000)],
    ['one letter', 'a'.repeat(8000)],
    ['spaces inside', `a ${'b '.repeat(3000)}`],
    ['not base64', '*.*.*'],
    ['not JSON', `${encode('{')}.${encode('{')}.AA`],
    ['deep JSON', `${encode({ alg: 'RS256' })}.${encode('['.repeat(4000))}.AA`],
    ['a list for claims', `${encode({ alg: 'RS256' })}.${encode([])}.AA`],
    ['five parts', 'a.b.c.d.e'],
    ['unicode', 'ü.ü.ü'],
  ])('is refused without a question to the issuer: %s', async (_, text) => {
    const { refusal, issuer } = await guarded();
    await expect.poll(() => issuer.asked.length).toBe(2);
    expect(await refusal(text)).toMatchObject(GENERIC);
    expect(issuer.asked).toHaveLength(2);
  });

  it('is refused for its length before it is looked at', async () => {
    const { token, refusal } = await guarded();
    expect(await refusal(await token({ padding: 'x'.repeat(8192) }))).toMatchObject({
      ...GENERIC,
      why: 'the token is too long',
    });
    expect(await refusal('a.'.repeat(1_000_000))).toMatchObject({ why: 'the token is too long' });
  });
});
