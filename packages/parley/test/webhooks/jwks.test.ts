import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import {
  newPushKeys,
  type PushErrorCode,
  type PushPublicJwk,
  publicJwkOf,
  pushReceiver,
  signPushJwt,
  type VerifyOptions,
  verifyPush,
} from 'parley-a2a/push';
import { describe, expect, it } from 'vitest';
import { NOW, notification, now, type Sent, statusBody } from './support/notifications.ts';

const jwksUrl = 'https://agent.example/.well-known/jwks.json';
const [issuer, audience] = ['https://agent.example/card', 'https://hooks.example/a2a'];

/** An issuer whose keys can be changed, and that counts how often it is asked. */
function issuerOf(keys: readonly unknown[]) {
  const state = { keys, asked: 0, status: 200 };
  const fetch = async (url: string): Promise<Response> => {
    expect(url).toBe(jwksUrl);
    state.asked += 1;
    return new Response(JSON.stringify({ keys: state.keys }), { status: state.status });
  };
  return { state, fetch };
}

interface Token {
  readonly timestamp?: number;
  readonly body?: string;
  readonly id?: string;
  readonly signingKey: string;
}

async function withToken(
  { timestamp = NOW / 1000, body = statusBody(), id = 'msg_1', signingKey }: Token,
  sent: Sent = {},
) {
  const token = await signPushJwt({ issuer, audience, id, timestamp, body, signingKey });
  return notification({ secrets: [], ...sent, headers: { 'x-a2a-notification-jwt': token, ...sent.headers } });
}

async function keys(): Promise<{ readonly signingKey: string; readonly jwk: PushPublicJwk }> {
  const { signingKey, publicKey } = await newPushKeys();
  return { signingKey, jwk: await publicJwkOf(publicKey) };
}

async function codeOf(given: Awaited<ReturnType<typeof notification>>, options: VerifyOptions) {
  const error = await verifyPush(given, options).catch((reason: unknown) => reason);
  return (error as { code?: PushErrorCode }).code;
}

describe('a JWT', () => {
  it('proves body, sender, receiver and id', async () => {
    const { signingKey, jwk } = await keys();
    const { fetch } = issuerOf([jwk]);
    const options = { jwksUrl, fetch, now, issuer, audience };
    expect(await verifyPush(await withToken({ signingKey }), options)).toMatchObject({
      id: 'msg_1',
      timestamp: NOW / 1000,
      taskId: 'task-1',
    });
  });

  it('needs no other header, and may be a Bearer credential', async () => {
    const { signingKey, jwk } = await keys();
    const { fetch } = issuerOf([jwk]);
    const { headers, body } = await withToken({ signingKey });
    const token = String(headers['x-a2a-notification-jwt']);
    const forms: Record<string, string>[] = [{ 'x-a2a-notification-jwt': token }, { authorization: `Bearer ${token}` }];
    for (const alone of forms) {
      expect(await codeOf({ headers: alone, body }, { jwksUrl, fetch, now })).toBeUndefined();
    }
    // A credential that was agreed on may look like a JWT; the signature is what counts.
    const given = await notification({
      secrets: [],
      signingKeys: [signingKey],
      headers: { authorization: 'Bearer a.b.c' },
    });
    expect(await codeOf(given, { jwksUrl, fetch, now })).toBeUndefined();
  });

  it('is refused where something is wrong with it', async () => {
    const { signingKey, jwk } = await keys();
    const stranger = await keys();
    const { fetch } = issuerOf([jwk]);
    const options = { jwksUrl, fetch, now };
    const seconds = NOW / 1000;
    expect(await codeOf(await withToken({ signingKey: stranger.signingKey }), options)).toBe('WRONG_SIGNATURE');
    expect(await codeOf(await withToken({ signingKey, body: '{}' }), options)).toBe('WRONG_SIGNATURE');
    expect(await codeOf(await withToken({ signingKey, id: 'msg_2' }), options)).toBe('WRONG_SIGNATURE');
    expect(await codeOf(await withToken({ signingKey, timestamp: seconds - 400 }), options)).toBe('TOO_OLD');
    expect(await codeOf(await withToken({ signingKey, timestamp: seconds - 310 }), options)).toBe('TOO_OLD');
    expect(await codeOf(await withToken({ signingKey, timestamp: seconds + 400 }), options)).toBe('TOO_NEW');
    const good = await withToken({ signingKey });
    expect(await codeOf(good, { ...options, issuer: 'https://other.example' })).toBe('WRONG_SIGNATURE');
    expect(await codeOf(good, { ...options, audience: 'https://other.example' })).toBe('WRONG_SIGNATURE');
    for (const token of ['', 'x', 'a.b.c', 'x'.repeat(10_000)]) {
      const code = await codeOf(await notification({ headers: { 'x-a2a-notification-jwt': token } }), options);
      expect(['WRONG_SIGNATURE', 'INVALID_HEADER']).toContain(code);
    }
  });

  it('is refused without a signature, and with one by a public key as a secret', async () => {
    const { jwk } = await keys();
    const { fetch } = issuerOf([jwk]);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = encode({ iat: NOW / 1000, jti: 'msg_1' });
    const none = `${encode({ alg: 'none' })}.${claims}.`;
    const confused = await new SignJWT({ iat: NOW / 1000, jti: 'msg_1' })
      .setProtectedHeader({ alg: 'HS256', kid: jwk.kid })
      .sign(Buffer.from(jwk.x.padEnd(43, 'A'), 'base64url'));
    for (const token of [none, confused]) {
      const given = await notification({ headers: { 'x-a2a-notification-jwt': token } });
      expect(await codeOf(given, { jwksUrl, fetch, now })).toBe('WRONG_SIGNATURE');
    }
  });

  it('of other servers may be of another kind, with the digest under its other name', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const { fetch } = issuerOf([{ ...(await exportJWK(publicKey)), kid: 'rsa' }]);
    const body = statusBody();
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
    const token = await new SignJWT({ request_body_sha256: Buffer.from(digest).toString('hex') })
      .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
      .setIssuedAt(NOW / 1000)
      .setExpirationTime(NOW / 1000 + 60)
      .setJti('theirs')
      .sign(privateKey);
    const given = { headers: { authorization: `Bearer ${token}` }, body };
    expect(await verifyPush(given, { jwksUrl, fetch, now })).toMatchObject({ id: 'theirs' });
  });
});

describe('the keys at an address', () => {
  it('verify ed25519 signatures too, where there is no JWT', async () => {
    const { signingKey, jwk } = await keys();
    const { fetch } = issuerOf([{ kty: 'RSA', n: 'x', e: 'AQAB' }, { kty: 'OKP', crv: 'Ed25519', x: '!' }, jwk]);
    const given = await notification({ secrets: [], signingKeys: [signingKey] });
    expect(await codeOf(given, { jwksUrl, fetch, now })).toBeUndefined();
  });

  it('are read again for a key that is new, and not for every stranger', async () => {
    const [old, fresh] = [await keys(), await keys()];
    let time = NOW;
    const { fetch, state } = issuerOf([old.jwk]);
    const clock = () => time;
    const receiver = pushReceiver({ jwksUrl, fetch, now: clock, onEvent: () => undefined });
    let count = 0;
    const send = async (signingKey: string): Promise<number> => {
      count += 1;
      const given = await withToken({ signingKey, id: `m${count}`, timestamp: time / 1000 }, { id: `m${count}` });
      const init = { method: 'POST', headers: given.headers, body: String(given.body) };
      return (await receiver.fetch(new Request(audience, init))).status;
    };
    expect(await send(old.signingKey)).toBe(204);
    state.keys = [old.jwk, fresh.jwk];
    expect(await send(fresh.signingKey)).toBe(401);
    expect(state.asked).toBe(1);
    time += 31_000;
    expect(await send(fresh.signingKey)).toBe(204);
    expect(state.asked).toBe(2);
    const stranger = await keys();
    for (let round = 0; round < 5; round += 1) expect(await send(stranger.signingKey)).toBe(401);
    expect(state.asked).toBe(2);
    // An issuer that is down: the keys that are known stay good.
    state.status = 500;
    time += 11 * 60_000;
    expect(await send(old.signingKey)).toBe(204);
    expect(state.asked).toBe(3);
  });

  it('that cannot be read are worth another attempt', async () => {
    const { signingKey } = await keys();
    const given = await withToken({ signingKey });
    const broken: readonly (() => Promise<Response>)[] = [
      () => Promise.reject(new Error('no network')),
      async () => new Response('', { status: 404 }),
      async () => new Response('<html>'),
      async () => new Response('{}'),
      async () => new Response('x'.repeat(300_000)),
    ];
    for (const fetch of broken) {
      await expect(verifyPush(given, { jwksUrl, fetch, now })).rejects.toMatchObject({
        code: 'KEYS_UNAVAILABLE',
        status: 503,
      });
    }
  });
});
