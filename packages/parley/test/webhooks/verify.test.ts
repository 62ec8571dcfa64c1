import { newPushKeys, newPushSecret, type PushErrorCode, type VerifyOptions, verifyPush } from 'parley-a2a/push';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  NOW,
  notification,
  now,
  OTHER_SECRET,
  request,
  SECRET,
  type Sent,
  statusBody,
} from './support/notifications.ts';

async function codeOf(
  sent: Sent,
  options: VerifyOptions = { secret: SECRET, now },
): Promise<PushErrorCode | undefined> {
  const error = await verifyPush(await notification(sent), options).catch((reason: unknown) => reason);
  return (error as { code?: PushErrorCode }).code;
}

describe('verifyPush', () => {
  it('tells the event, its task, its id and its place', async () => {
    expect(await verifyPush(await request({ seq: 7 }), { secret: SECRET, now })).toEqual({
      id: 'msg_1',
      timestamp: NOW / 1000,
      seq: 7,
      taskId: 'task-1',
      dialect: '1.0',
      event: expect.objectContaining({ kind: 'status', status: expect.objectContaining({ state: 'working' }) }),
    });
  });

  it('takes headers and body as they are, in bytes, in text, with headers in any case or as lists', async () => {
    const { headers, body } = await notification();
    const bytes = new TextEncoder().encode(String(body));
    const loud = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const given of [
      { headers, body: String(body) },
      { headers, body: bytes },
      { headers, body: bytes.buffer },
      { headers: new Headers(headers), body: bytes },
      { headers: loud, body: bytes },
    ]) {
      expect(await verifyPush(given, { secret: SECRET, now })).toHaveProperty('taskId', 'task-1');
    }
  });

  it('takes any of several secrets and signatures, so that both sides can rotate', async () => {
    expect(await codeOf({ secrets: [OTHER_SECRET, SECRET] })).toBeUndefined();
    expect(await codeOf({ secrets: [SECRET] }, { secret: [OTHER_SECRET, SECRET], now })).toBeUndefined();
    expect(await codeOf({ secrets: [OTHER_SECRET] })).toBe('WRONG_SIGNATURE');
  });

  it('takes ed25519 signatures of any of several public keys', async () => {
    const [one, other] = [await newPushKeys(), await newPushKeys()];
    const sent = { secrets: [], signingKeys: [one.signingKey] };
    expect(await codeOf(sent, { publicKey: one.publicKey, now })).toBeUndefined();
    expect(await codeOf(sent, { publicKey: [other.publicKey, one.publicKey], now })).toBeUndefined();
    expect(await codeOf(sent, { publicKey: other.publicKey, now })).toBe('WRONG_SIGNATURE');
    // A secret is no public key: what is signed by one proves nothing about the other.
    expect(await codeOf({ secrets: [SECRET] }, { publicKey: one.publicKey, now })).toBe('WRONG_SIGNATURE');
  });

  it.each<[PushErrorCode | undefined, Sent]>([
    [undefined, { timestamp: NOW / 1000 - 300 }],
    [undefined, { timestamp: NOW / 1000 + 300 }],
    ['TOO_OLD', { timestamp: NOW / 1000 - 301 }],
    ['TOO_NEW', { timestamp: NOW / 1000 + 301 }],
    ['INVALID_HEADER', { headers: { 'webhook-timestamp': 'now' } }],
    ['INVALID_HEADER', { headers: { 'webhook-timestamp': '-1' } }],
    ['INVALID_HEADER', { headers: { 'webhook-timestamp': '1e9' } }],
    ['INVALID_HEADER', { headers: { 'webhook-timestamp': `${NOW / 1000}.5` } }],
    ['INVALID_HEADER', { headers: { 'webhook-id': 'a.b' } }],
    ['INVALID_HEADER', { headers: { 'webhook-id': '' } }],
    ['INVALID_HEADER', { headers: { 'webhook-id': 'x'.repeat(257) } }],
    ['WRONG_SIGNATURE', { headers: { 'webhook-id': 'msg_2' } }],
    ['WRONG_SIGNATURE', { headers: { 'webhook-timestamp': String(NOW / 1000 - 1) } }],
    ['WRONG_SIGNATURE', { headers: { 'webhook-signature': '' } }],
    ['WRONG_SIGNATURE', { headers: { 'webhook-signature': 'v1,' } }],
    ['WRONG_SIGNATURE', { headers: { 'webhook-signature': 'v1,AAAA v1a,AAAA v2,AAAA nonsense' } }],
    ['WRONG_SIGNATURE', { headers: { 'webhook-signature': `v1,${'A'.repeat(43)}=` } }],
    ['INVALID_HEADER', { headers: { 'webhook-signature': 'v1,A '.repeat(10_000) } }],
    ['INVALID_HEADER', { headers: { 'parley-seq': 'first' } }],
    ['INVALID_BODY', { body: 'no JSON' }],
    ['INVALID_BODY', { body: '[]' }],
    ['INVALID_BODY', { body: '{}' }],
    ['INVALID_BODY', { body: '{"statusUpdate":{}}' }],
    ['INVALID_BODY', { body: '['.repeat(100_000) }],
    ['INVALID_BODY', { body: `{"task":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}` }],
    ['INVALID_BODY', { body: new Uint8Array([0x7b, 0xff, 0x7d]) }],
  ])('says what is wrong: %s for %j', async (code, sent) => {
    expect(await codeOf(sent)).toBe(code);
  });

  it('says which header is missing', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { headers, body } = await notification();
      delete headers[name];
      const verified = verifyPush({ headers, body: String(body) }, { secret: SECRET, now });
      await expect(verified).rejects.toMatchObject({
        code: 'INVALID_HEADER',
        message: `The header ${name} is missing`,
      });
    }
  });

  it('refuses a body of which one bit was changed, and one with more behind it', async () => {
    const { headers, body } = await notification();
    for (const changed of [String(body).replace('task-1', 'task-3'), `${String(body)} `]) {
      const verified = verifyPush({ headers, body: changed }, { secret: SECRET, now });
      await expect(verified).rejects.toMatchObject({ code: 'WRONG_SIGNATURE' });
    }
  });

  it('reads no more of a body than it may have, and none of it where the head is wrong', async () => {
    let pulled = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1000));
        },
      });
    const { headers } = await notification();
    const send = (changed: Record<string, string>) =>
      new Request('https://hooks.example/', { method: 'POST', headers: changed, body: endless(), duplex: 'half' });
    const options = { secret: SECRET, now, bodyBytes: 10_000 };
    await expect(verifyPush(send(headers), options)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE', status: 413 });
    expect(pulled).toBeLessThan(30);
    pulled = 0;
    const old = { ...headers, 'webhook-timestamp': '1' };
    await expect(verifyPush(send(old), options)).rejects.toMatchObject({ code: 'TOO_OLD' });
    expect(pulled).toBeLessThan(3);
  });

  it('says that a parsed body cannot be verified', async () => {
    const { headers, body } = await notification();
    const parsed = JSON.parse(String(body)) as string;
    await expect(verifyPush({ headers, body: parsed }, { secret: SECRET, now })).rejects.toThrow('must be raw');
  });

  it.each([
    [{}, 'verifyPush needs one of secret, publicKey, jwksUrl'],
    [{ secret: [] }, 'verifyPush needs one of secret, publicKey, jwksUrl'],
    [{ secret: 'hunter2' }, 'A webhook secret begins with whsec_'],
    [{ publicKey: SECRET }, 'A public webhook key begins with whpk_'],
    [{ jwksUrl: 'jwks.json' }, 'jwksUrl must be an absolute URL'],
    [{ secret: SECRET, tolerance: -1 }, 'tolerance must be a number, 0 or more'],
    [{ secret: SECRET, tolerance: Number.NaN }, 'tolerance must be a number, 0 or more'],
  ])('refuses options that are wrong: %j', async (options, problem) => {
    await expect(verifyPush(await notification(), options)).rejects.toThrow(problem);
  });
});

describe('the package standardwebhooks', () => {
  it('verifies what we sign', async () => {
    const secret = newPushSecret();
    const timestamp = Math.floor(Date.now() / 1000);
    const body = statusBody();
    const { signingKey } = await newPushKeys();
    const { headers } = await notification({
      timestamp,
      body,
      secrets: [OTHER_SECRET, secret],
      signingKeys: [signingKey],
    });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newPushSecret()).verify(body, headers)).toThrow('No matching signature');
  });

  it('signs what we verify', async () => {
    const secret = newPushSecret();
    const body = statusBody('TASK_STATE_COMPLETED');
    const time = new Date();
    const headers = {
      'webhook-id': 'msg_theirs',
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_theirs', time, body),
    };
    expect(await verifyPush({ headers, body }, { secret })).toMatchObject({ id: 'msg_theirs', seq: undefined });
  });
});
