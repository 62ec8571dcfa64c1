import { createHash, createHmac, createPublicKey, sign as signNode, verify } from 'node:crypto';
import fc from 'fast-check';
import { importJWK, jwtVerify } from 'jose';
import { newPushKeys, newPushSecret, publicJwkOf, publicKeyOf, signPush, signPushJwt } from 'parley-a2a/push';
import { describe, expect, it } from 'vitest';

/** The example of the Standard Webhooks specification. */
const EXAMPLE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
};
const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The first key pair of RFC 8032 §7.1. */
const SEED = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const POINT = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');

function nodeKey(publicKey: string) {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

describe('webhook-signature', () => {
  it('is that of the specification', async () => {
    expect(await signPush({ ...EXAMPLE, secrets: [EXAMPLE_SECRET] })).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('is what HMAC and ed25519 of Node say, of any body', async () => {
    const { signingKey, publicKey } = await newPushKeys();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        async (text, key) => {
          const secret = `whsec_${Buffer.from(key).toString('base64')}`;
          const body = new TextEncoder().encode(text);
          const value = await signPush({ id: 'a', timestamp: 7, body, secrets: [secret], signingKeys: [signingKey] });
          const signed = Buffer.concat([Buffer.from('a.7.'), body]);
          const [v1, v1a = ''] = value.split(' ');
          expect(v1).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
          expect(verify(null, signed, nodeKey(publicKey), Buffer.from(v1a.slice('v1a,'.length), 'base64'))).toBe(true);
        },
      ),
    );
  });

  it('has one for every secret and key, in their order, and none without', async () => {
    const [one, two] = [await newPushKeys(), await newPushKeys()];
    const secrets = [newPushSecret(), newPushSecret()];
    const value = await signPush({ ...EXAMPLE, secrets, signingKeys: [one.signingKey, two.signingKey] });
    expect(value).toMatch(/^v1,\S{44} v1,\S{44} v1a,\S{88} v1a,\S{88}$/);
    const alone = await Promise.all(secrets.map((secret) => signPush({ ...EXAMPLE, secrets: [secret] })));
    expect(value.split(' ').slice(0, 2)).toEqual(alone);
    expect(await signPush(EXAMPLE)).toBe('');
  });

  it.each([
    [{ id: 'a.b' }, 'A webhook-id is not empty and has no dot'],
    [{ id: '' }, 'A webhook-id is not empty and has no dot'],
    [{ timestamp: 1.5 }, 'A webhook-timestamp is a whole number of seconds'],
    [{ timestamp: Number.NaN }, 'A webhook-timestamp is a whole number of seconds'],
  ])('is refused for %j', async (change, problem) => {
    await expect(signPush({ ...EXAMPLE, ...change, secrets: [EXAMPLE_SECRET] })).rejects.toThrow(problem);
  });
});

describe('keys', () => {
  it('are made at random, in the forms of the specification', async () => {
    const secrets = Array.from({ length: 50 }, newPushSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { signingKey, publicKey } = await newPushKeys();
    expect(signingKey).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
    expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(await publicKeyOf(signingKey)).toBe(publicKey);
  });

  it('are read as a seed alone, and as a seed with its public key (RFC 8032)', async () => {
    const publicKey = `whpk_${POINT.toString('base64')}`;
    expect(await publicKeyOf(`whsk_${SEED.toString('base64')}`)).toBe(publicKey);
    expect(await publicKeyOf(`whsk_${Buffer.concat([SEED, POINT]).toString('base64')}`)).toBe(publicKey);
    expect(await publicKeyOf(`whsk_${SEED.toString('base64url')}`)).toBe(publicKey);
  });

  it('have the thumbprint as their name in a JWKS (RFC 8037 appendix A.3)', async () => {
    expect(await publicJwkOf(`whpk_${POINT.toString('base64')}`)).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'EdDSA',
      use: 'sig',
    });
  });

  const short = Buffer.alloc(23).toString('base64');
  it.each([
    ['secret', 'A webhook secret begins with whsec_'],
    ['whsec_', '24 to 64 bytes after whsec_; this one has 0'],
    [`whsec_${short}`, '24 to 64 bytes after whsec_; this one has 23'],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, 'this one has 65'],
    ['whsec_not base64 at all!', 'this one is not base64'],
    [`whsec_${'A'.repeat(33)}`, 'this one is not base64'],
  ])('are refused by name: %s', async (secret, problem) => {
    await expect(signPush({ ...EXAMPLE, secrets: [secret] })).rejects.toThrow(problem);
    // The second time as well: what failed is not kept.
    await expect(signPush({ ...EXAMPLE, secrets: [secret] })).rejects.toThrow(problem);
  });

  it.each([
    ['whpk_AAAA', 'A webhook signing key begins with whsk_'],
    ['whsk_AAAA', '32 or 64 bytes after whsk_; this one has 3'],
    ['whsk_*', 'this one is not base64'],
    [
      `whsk_${Buffer.concat([SEED, SEED]).toString('base64')}`,
      'The two halves of the signing key do not belong together',
    ],
  ])('are refused by name: %s', async (signingKey, problem) => {
    await expect(signPush({ ...EXAMPLE, signingKeys: [signingKey] })).rejects.toThrow(problem);
  });

  it('never stand in the error', async () => {
    const error = await signPush({ ...EXAMPLE, secrets: ['whsec_c2VjcmV0'] }).catch((reason: unknown) => reason);
    expect(String(error)).not.toContain('c2VjcmV0');
  });
});

describe('X-A2A-Notification-JWT', () => {
  it('says who sent which body to whom, for five minutes', async () => {
    const { signingKey, publicKey } = await newPushKeys();
    const timestamp = 1_700_000_000;
    const [issuer, audience] = ['https://agent.example/.well-known/agent-card.json', 'https://hooks.example/a2a'];
    const token = await signPushJwt({ ...EXAMPLE, timestamp, issuer, audience, signingKey });
    const jwk = await publicJwkOf(publicKey);
    const verified = await jwtVerify(token, await importJWK(jwk), { currentDate: new Date(timestamp * 1000) });
    expect(verified.protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: jwk.kid });
    expect(verified.payload).toEqual({
      iss: issuer,
      aud: audience,
      iat: timestamp,
      exp: timestamp + 300,
      jti: EXAMPLE.id,
      sha256: createHash('sha256').update(EXAMPLE.body).digest('hex'),
    });
  });

  it('is deterministic, as ed25519 is: what Node signs is the same', async () => {
    const { signingKey } = await newPushKeys();
    const seed = Buffer.from(signingKey.slice('whsk_'.length), 'base64').subarray(0, 32);
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const token = await signPushJwt({ ...EXAMPLE, issuer: 'a', audience: 'b', signingKey });
    const [head, claims, signature] = token.split('.');
    const theirs = signNode(null, Buffer.from(`${head}.${claims}`), { key: der, format: 'der', type: 'pkcs8' });
    expect(signature).toBe(theirs.toString('base64url'));
  });
});
