import { ownBytes, toBase64 } from '../../model/basics/bytes.ts';
import { hmacKey } from './secrets.ts';
import { ed25519SigningKey } from './signing-keys.ts';

/** The text that Standard Webhooks signs: id, time and body. */
export interface SignedContent {
  /** The `webhook-id`: the same on every attempt, without a `.`. */
  readonly id: string;
  /** The `webhook-timestamp` of this attempt, in whole seconds since the epoch. */
  readonly timestamp: number;
  /** The body, byte by byte as it is sent. */
  readonly body: string | Uint8Array;
}

export interface PushSigning extends SignedContent {
  /** Shared secrets, `whsec_…`: a `v1` signature for each. The new one and the old one while they are rotated. */
  readonly secrets?: readonly string[] | undefined;
  /** ed25519 signing keys, `whsk_…`: a `v1a` signature for each. */
  readonly signingKeys?: readonly string[] | undefined;
}

/**
 * The value of `webhook-signature`: `v1,…` for every secret, then `v1a,…` for every signing key, separated by spaces. Empty
 * where there is neither. Throws a TypeError for an invalid id, time or key.
 */
export async function signPush({ secrets = [], signingKeys = [], ...content }: PushSigning): Promise<string> {
  const signed = signedBytes(content);
  const signatures = [
    ...secrets.map(async (secret) => `v1,${await signature('HMAC', await hmacKey(secret), signed)}`),
    ...signingKeys.map(async (key) => `v1a,${await signature('Ed25519', await ed25519SigningKey(key), signed)}`),
  ];
  return (await Promise.all(signatures)).join(' ');
}

/** `{id}.{timestamp}.{body}` in bytes. */
export function signedBytes({ id, timestamp, body }: SignedContent) {
  // With a dot in the id two messages could have the same text.
  if (id === '' || id.includes('.')) throw new TypeError('A webhook-id is not empty and has no dot');
  if (!Number.isSafeInteger(timestamp)) throw new TypeError('A webhook-timestamp is a whole number of seconds');
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = ownBytes(body);
  const bytes = new Uint8Array(head.length + content.length);
  bytes.set(head);
  bytes.set(content, head.length);
  return bytes;
}

async function signature(
  algorithm: string,
  key: Awaited<ReturnType<typeof hmacKey>>,
  signed: ReturnType<typeof signedBytes>,
): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.sign(algorithm, key, signed)));
}
