import { createHmac } from 'node:crypto';
import { type CryptoKey, exportSPKI, importJWK } from 'jose';
import { jwt } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { AUDIENCE, type SigningKey, sendJson, signingKey, startIssuer, tokenOf } from '../auth/support/issuer.ts';
import { settableClock } from '../support/settable-clock.ts';
import { sendRaw } from './support/raw-request.ts';
import { startVictim, type Victim } from './support/victim.ts';

const KEY = await signingKey('one', 'RS256');
const EVIL = await signingKey('evil', 'RS256');
/** Not the issuer's, under the id of the issuer's key. */
const SAME_ID = await signingKey('one', 'RS256');

const now = () => Math.floor(Date.now() / 1000);

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token with any header, signed by a key that the issuer does not have. */
async function signed(key: SigningKey, header: object, claims: object): Promise<string> {
  const text = `${encoded(header)}.${encoded(claims)}`;
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key.privateKey, Buffer.from(text));
  return `${text}.${Buffer.from(signature).toString('base64url')}`;
}

async function guarded() {
  const [issuer, elsewhere] = [await startIssuer([KEY]), await startIssuer([EVIL])];
  const victim = await startVictim({ auth: jwt({ issuer: issuer.url, audience: AUDIENCE }) });
  const claims = { iss: issuer.url, sub: 'ann', aud: AUDIENCE, iat: now(), exp: now() + 300 };
  return { issuer, elsewhere, victim, claims };
}

/** Sends a token by both bindings, and as the reader of a guarded card would. */
async function attempt({ url }: Victim, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'a2a-version': '1.0' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} });
  const rpc = { method: 'POST', path: '/a2a', headers: { ...headers, 'content-type': 'application/json' }, body };
  return [await sendRaw(url, rpc), await sendRaw(url, { method: 'GET', path: '/a2a/tasks', headers })] as const;
}

type Guarded = Awaited<ReturnType<typeof guarded>>;

/** The body of each refusal says the same, so that nobody learns which check failed. */
async function expectRefused({ victim }: Guarded, title: string, token: string, message = 'not valid'): Promise<void> {
  victim.lookups.length = 0;
  const [rpc, rest] = await attempt(victim, token);
  for (const answer of [rpc, rest]) {
    expect([answer.status, answer.body.includes(message)], title).toEqual([401, true]);
    expect(answer.headers['www-authenticate'], title).toMatch(/^Bearer realm="a2a".*error="invalid_token"/);
    if (token.length > 20) expect(answer.body, title).not.toContain(token.slice(0, 20));
  }
  expect(victim.lookups, title).toEqual([]);
}

describe('a server with tokens', () => {
  it('lets in a right one, so that the refusals below mean something', async () => {
    const { victim, claims } = await guarded();
    const [rpc, rest] = await attempt(victim, await tokenOf(KEY, claims));
    expect([rpc.status, rest.status]).toEqual([200, 200]);
  });

  it('refuses a token without a signature, however the algorithm is spelled', async () => {
    const start = await guarded();
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, undefined, 0, ['none'], 'HS256', 'RS256 ']) {
      for (const signature of ['', 'AA']) {
        const token = `${encoded({ alg, kid: 'one', typ: 'JWT' })}.${encoded(start.claims)}.${signature}`;
        await expectRefused(start, `alg ${JSON.stringify(alg)}`, token);
      }
    }
  });

  it('takes no public key for a shared secret', async () => {
    const start = await guarded();
    const publicKey = (await importJWK({ ...KEY.jwk }, 'RS256')) as CryptoKey;
    const pem = await exportSPKI(publicKey);
    for (const secret of [pem, pem.trim(), JSON.stringify(KEY.jwk), String(KEY.jwk.n), '']) {
      for (const [alg, hash] of [
        ['HS256', 'sha256'],
        ['HS512', 'sha512'],
      ] as const) {
        const text = `${encoded({ alg, kid: 'one' })}.${encoded(start.claims)}`;
        const signature = createHmac(hash, secret).update(text).digest('base64url');
        await expectRefused(start, alg, `${text}.${signature}`);
      }
    }
  });

  it('asks nobody for keys whom a token names', async () => {
    const start = await guarded();
    const { elsewhere, claims, issuer } = start;
    const jwks = `${elsewhere.url}/jwks`;
    const chain = { x5c: ['MIIB'], x5t: 'AAAA' };
    const headers = [
      { jku: jwks },
      { x5u: jwks },
      { jwk: EVIL.jwk },
      { jku: jwks, kid: 'evil' },
      { kid: 'one', jwk: EVIL.jwk },
      { kid: jwks },
      chain,
      { iss: elsewhere.url },
    ];
    for (const header of headers) {
      await expectRefused(start, JSON.stringify(header), await signed(EVIL, { alg: 'RS256', ...header }, claims));
    }
    const ofAnother = await tokenOf(EVIL, { ...claims, iss: elsewhere.url });
    await expectRefused(start, 'another issuer', ofAnother);
    expect(elsewhere.asked).toEqual([]);
    expect(issuer.asked.length).toBeLessThan(5);
  });

  it.each([
    '../../../../dev/null',
    'http://169.254.169.254/',
    "one' UNION SELECT 'x' --",
    '__proto__',
    'constructor',
    'one\0',
    'ONE',
    ' one',
    'x'.repeat(4000),
    '',
    {},
    ['one'],
    null,
  ])('finds no key by the id %j', async (kid) => {
    const start = await guarded();
    await expectRefused(start, JSON.stringify(kid), await signed(EVIL, { alg: 'RS256', kid }, start.claims));
  });

  it('refuses what is for others, of others, or changed', async () => {
    const start = await guarded();
    const { claims } = start;
    const changes: readonly object[] = [
      { aud: 'https://other.example' },
      { aud: [] },
      { aud: undefined },
      { aud: `${AUDIENCE}/` },
      { aud: AUDIENCE.toUpperCase() },
      { iss: 'https://evil.example' },
      { iss: `${claims.iss}/` },
      { iss: undefined },
      { sub: '' },
      { sub: undefined },
      { sub: { $ne: '' } },
      { exp: undefined },
      { exp: 'tomorrow' },
      { exp: null },
    ];
    for (const change of changes) {
      await expectRefused(start, JSON.stringify(change), await tokenOf(KEY, { ...claims, ...change }));
    }
    await expectRefused(start, 'another key of that id', await tokenOf(SAME_ID, claims));
    const [header, , signature] = (await tokenOf(KEY, claims)).split('.');
    await expectRefused(start, 'exchanged claims', `${header}.${encoded({ ...claims, sub: 'root' })}.${signature}`);
  });

  it('says only of a token that it has signed that its time is wrong', async () => {
    const start = await guarded();
    const { claims } = start;
    await expectRefused(start, 'expired', await tokenOf(KEY, { ...claims, exp: now() - 61 }), 'has expired');
    await expectRefused(start, 'not yet', await tokenOf(KEY, { ...claims, nbf: now() + 120 }), 'not valid yet');
    await expectRefused(start, 'forged and expired', await tokenOf(SAME_ID, { ...claims, exp: 1 }));
  });

  it('does not go on with a token that it knew after the token has expired', async () => {
    const issuer = await startIssuer([KEY]);
    const clock = settableClock();
    const victim = await startVictim({ auth: jwt({ issuer: issuer.url, audience: AUDIENCE }), clock });
    const seconds = clock.time / 1000;
    const claims = { iss: issuer.url, sub: 'ann', aud: AUDIENCE, iat: seconds, exp: seconds + 300 };
    const token = await tokenOf(KEY, claims);
    expect((await attempt(victim, token)).map(({ status }) => status)).toEqual([200, 200]);
    clock.time += 361_000;
    expect((await attempt(victim, token)).map(({ status }) => status)).toEqual([401, 401]);
  });

  it('takes no keys from another origin than its issuer, also by a redirect', async () => {
    for (const lead of ['document', 'redirect'] as const) {
      const [issuer, elsewhere] = [await startIssuer([KEY]), await startIssuer([EVIL])];
      const jwks = `${elsewhere.url}/jwks`;
      if (lead === 'redirect') {
        issuer.answers.set('/jwks', (_, response) => void response.writeHead(302, { location: jwks }).end());
      } else {
        issuer.answers.set('/.well-known/openid-configuration', (_, response) =>
          sendJson(response, { issuer: issuer.url, jwks_uri: jwks }),
        );
      }
      const victim = await startVictim({ auth: jwt({ issuer: issuer.url, audience: AUDIENCE }) });
      const claims = { iss: issuer.url, sub: 'ann', aud: AUDIENCE, iat: now(), exp: now() + 300 };
      const answers = await attempt(victim, await tokenOf(EVIL, claims));
      // It cannot tell who calls: nobody is let in, and the caller may come back.
      expect(answers.map(({ status }) => status)).toEqual([503, 503]);
      expect(elsewhere.asked).toEqual([]);
    }
  });
});
