import { fromBase64, type OwnBytes, sha256, toBase64, toBase64Url, type WebKey } from '../../model/basics/bytes.ts';
import { KeptKeys } from './kept-keys.ts';

/** A private key: this and base64 of the seed and the public key, or of the seed alone. */
const SIGNING_KEY_PREFIX = 'whsk_';
/** A public key: this and base64 of its 32 bytes. */
const PUBLIC_KEY_PREFIX = 'whpk_';
const KEY_BYTES = 32;
/** The bytes before the seed in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

/** An ed25519 pair: `whsk_…` signs and stays with the sender, `whpk_…` is for every receiver. */
export interface PushKeyPair {
  readonly signingKey: string;
  readonly publicKey: string;
}

/** A public key as a JWKS has it (RFC 8037). `kid` is its thumbprint (RFC 7638). */
export interface PushPublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** Makes an ed25519 pair. */
export async function newPushKeys(): Promise<PushKeyPair> {
  const seed = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const point = await pointOf(seed);
  return {
    signingKey: SIGNING_KEY_PREFIX + toBase64(Uint8Array.of(...seed, ...point)),
    publicKey: PUBLIC_KEY_PREFIX + toBase64(point),
  };
}

/** The public half of a signing key. Throws a TypeError, which never shows the key, for other texts. */
export async function publicKeyOf(signingKey: string): Promise<string> {
  const bytes = readSigningKey(signingKey);
  const point = await pointOf(bytes.slice(0, KEY_BYTES));
  if (bytes.length > KEY_BYTES && !bytes.slice(KEY_BYTES).every((byte, index) => byte === point[index])) {
    throw new TypeError('The two halves of the signing key do not belong together');
  }
  return PUBLIC_KEY_PREFIX + toBase64(point);
}

/** The entry of a JWKS for a public key, `whpk_…`. */
export async function publicJwkOf(publicKey: string): Promise<PushPublicJwk> {
  const x = toBase64Url(readPublicKey(publicKey));
  const kid = toBase64Url(await sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`));
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
}

/** The bytes of a public key. Throws a TypeError for other texts. */
export function readPublicKey(text: string): OwnBytes {
  const bytes = readKey(text, PUBLIC_KEY_PREFIX, 'public webhook key');
  if (bytes.length === KEY_BYTES) return bytes;
  throw new TypeError(
    `A public webhook key has ${KEY_BYTES} bytes after ${PUBLIC_KEY_PREFIX}; this one has ${bytes.length}`,
  );
}

/** The bytes of a signing key. Throws a TypeError, which never shows the key, for other texts. */
export function readSigningKey(text: string): OwnBytes {
  const bytes = readKey(text, SIGNING_KEY_PREFIX, 'webhook signing key');
  if (bytes.length === KEY_BYTES || bytes.length === 2 * KEY_BYTES) return bytes;
  const size = `${KEY_BYTES} or ${2 * KEY_BYTES} bytes`;
  throw new TypeError(`A webhook signing key has ${size} after ${SIGNING_KEY_PREFIX}; this one has ${bytes.length}`);
}

function readKey(text: string, prefix: string, kind: string): OwnBytes {
  if (!text.startsWith(prefix)) throw new TypeError(`A ${kind} begins with ${prefix}`);
  const bytes = fromBase64(text.slice(prefix.length));
  if (!bytes) throw new TypeError(`A ${kind} is ${prefix} and base64; this one is not base64`);
  return bytes;
}

const SIGNING = /* @__PURE__ */ new KeptKeys<WebKey>();
const VERIFYING = /* @__PURE__ */ new KeptKeys<WebKey>();

/** A signing key, `whsk_…`, as a key that signs; its halves are checked. */
export function ed25519SigningKey(signingKey: string): Promise<WebKey> {
  return SIGNING.get(signingKey, async () => {
    await publicKeyOf(signingKey);
    return importSeed(readSigningKey(signingKey).slice(0, KEY_BYTES), false);
  });
}

/** A public key, `whpk_…`, as a key that verifies. */
export function ed25519PublicKey(publicKey: string): Promise<WebKey> {
  return VERIFYING.get(publicKey, async () => {
    return crypto.subtle.importKey('raw', readPublicKey(publicKey), 'Ed25519', true, ['verify']);
  });
}

async function importSeed(seed: Uint8Array, isExtractable: boolean): Promise<WebKey> {
  const pkcs8 = Uint8Array.of(...PKCS8_HEAD, ...seed);
  return crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', isExtractable, ['sign']);
}

/** The public key of a seed. */
async function pointOf(seed: Uint8Array): Promise<OwnBytes> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', await importSeed(seed, true));
  return fromBase64(x) ?? Uint8Array.of();
}
