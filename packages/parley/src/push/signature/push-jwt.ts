import { ownBytes, sha256, toBase64Url, toHex } from '../../model/basics/bytes.ts';
import { KeptKeys } from './kept-keys.ts';
import { ed25519SigningKey, publicJwkOf, publicKeyOf } from './signing-keys.ts';

/** Seconds for which a JWT is valid. */
const JWT_LIFETIME = 5 * 60;

export interface PushJwtContent {
  /** The address of the card of the agent that sends. */
  readonly issuer: string;
  /** The address of the webhook. */
  readonly audience: string;
  /** The `webhook-id`. */
  readonly id: string;
  /** In whole seconds since the epoch. */
  readonly timestamp: number;
  /** The body, byte by byte as it is sent. */
  readonly body: string | Uint8Array;
  /** `whsk_…`; the public half is in the sender's JWKS (`publicJwkOf`). */
  readonly signingKey: string;
}

const NAMES = /* @__PURE__ */ new KeptKeys<string>();

/** The value of `X-A2A-Notification-JWT`: it says who sent which body to whom, and is valid for five minutes. */
export async function signPushJwt(content: PushJwtContent): Promise<string> {
  const { issuer, audience, id, timestamp, body, signingKey } = content;
  const kid = await NAMES.get(signingKey, async () => (await publicJwkOf(await publicKeyOf(signingKey))).kid);
  const header = { alg: 'EdDSA', typ: 'JWT', kid };
  const claims = {
    iss: issuer,
    aud: audience,
    iat: timestamp,
    exp: timestamp + JWT_LIFETIME,
    jti: id,
    sha256: toHex(await sha256(body)),
  };
  const text = `${encodeJson(header)}.${encodeJson(claims)}`;
  const signed = await crypto.subtle.sign('Ed25519', await ed25519SigningKey(signingKey), ownBytes(text));
  return `${text}.${toBase64Url(new Uint8Array(signed))}`;
}

function encodeJson(value: unknown): string {
  return toBase64Url(ownBytes(JSON.stringify(value)));
}
