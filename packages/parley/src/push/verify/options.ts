import { readPushSecret } from '../signature/secrets.ts';
import { readPublicKey } from '../signature/signing-keys.ts';

/** Keys of the sender, at least one. With several, one valid signature is enough. */
export interface VerifyOptions {
  /** The shared secret, `whsec_…`; the old and the new one while you rotate it. */
  readonly secret?: string | readonly string[] | undefined;
  /** The sender's ed25519 key, `whpk_…`, from its card; or several. */
  readonly publicKey?: string | readonly string[] | undefined;
  /** The address of the sender's public keys, for its JWT and for ed25519 signatures. */
  readonly jwksUrl?: string | URL | undefined;
  /** The `iss` that a JWT must have. Default: any whose key is at `jwksUrl`. */
  readonly issuer?: string | undefined;
  /** The `aud` that a JWT must have: the webhook's URL as it was registered. Default: any. */
  readonly audience?: string | undefined;
  /** Seconds by which the time of a notification may differ from now. Default 300. */
  readonly tolerance?: number | undefined;
  /** The largest body, in bytes. Default 16 MiB. */
  readonly bodyBytes?: number | undefined;
  /** Loads the keys at `jwksUrl`. Default: the global `fetch`. */
  readonly fetch?: ((url: string, init?: RequestInit) => Promise<Response>) | undefined;
  /** The clock, in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

export const DEFAULT_TOLERANCE = 300;
export const DEFAULT_BODY_BYTES = 16 * 1024 * 1024;

/** The keys as lists. Throws a TypeError for texts that are no keys. */
export function keysOf({ secret = [], publicKey = [], jwksUrl, tolerance, bodyBytes }: VerifyOptions) {
  const secrets = [secret].flat();
  const publicKeys = [publicKey].flat();
  for (const text of secrets) readPushSecret(text);
  for (const text of publicKeys) readPublicKey(text);
  if (jwksUrl !== undefined && !URL.canParse(String(jwksUrl))) throw new TypeError('jwksUrl must be an absolute URL');
  for (const [name, value] of Object.entries({ tolerance, bodyBytes })) {
    if (value !== undefined && !(value >= 0)) throw new TypeError(`${name} must be a number, 0 or more`);
  }
  return { secrets, publicKeys, jwksUrl: jwksUrl === undefined ? undefined : String(jwksUrl) };
}
