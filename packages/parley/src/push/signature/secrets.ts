import { fromBase64, type OwnBytes, toBase64, type WebKey } from '../../model/basics/bytes.ts';
import { KeptKeys } from './kept-keys.ts';

/** A shared secret of Standard Webhooks: this and base64 of its bytes. */
const SECRET_PREFIX = 'whsec_';
const SHORTEST_SECRET = 24;
const LONGEST_SECRET = 64;
const NEW_SECRET = 32;

/** Makes a secret, `whsec_…`, of 32 random bytes. */
export function newPushSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(NEW_SECRET)));
}

/** Tells a secret from the other tokens of a push config. Says nothing about whether it is a good one. */
export function isPushSecret(text: string): boolean {
  return text.startsWith(SECRET_PREFIX);
}

/** The bytes of a secret. Throws a TypeError, which never shows the secret, for other texts. */
export function readPushSecret(text: string): OwnBytes {
  if (!isPushSecret(text)) throw new TypeError(`A webhook secret begins with ${SECRET_PREFIX}`);
  const bytes = fromBase64(text.slice(SECRET_PREFIX.length));
  if (!bytes) throw new TypeError(`A webhook secret is ${SECRET_PREFIX} and base64; this one is not base64`);
  if (bytes.length < SHORTEST_SECRET || bytes.length > LONGEST_SECRET) {
    const size = `${SHORTEST_SECRET} to ${LONGEST_SECRET} bytes`;
    throw new TypeError(`A webhook secret has ${size} after ${SECRET_PREFIX}; this one has ${bytes.length}`);
  }
  return bytes;
}

const KEPT = /* @__PURE__ */ new KeptKeys<WebKey>();

/** The secret as a key that signs and verifies HMAC-SHA256. */
export function hmacKey(secret: string): Promise<WebKey> {
  return KEPT.get(secret, async () => {
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    return crypto.subtle.importKey('raw', readPushSecret(secret), hmac, false, ['sign', 'verify']);
  });
}
