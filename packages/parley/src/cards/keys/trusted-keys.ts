import type { OwnBytes } from '../../model/basics/bytes.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { algorithmNamed, fitsAlgorithm, type Jwk, requireStrong } from './algorithms.ts';
import { isJwk, isKeyObject, type KeyObjectLike, publicHalf } from './key-kinds.ts';
import { readPem } from './pem.ts';
import { RemoteKeySet, type RemoteKeysOptions } from './remote-keys.ts';
import { importBytes, importJwk, isCryptoKey, type WebCryptoKey } from './web-crypto.ts';

/** A public key: a JWK, a set of them, PEM (`BEGIN PUBLIC KEY`), a `CryptoKey`, or a key of `node:crypto`. */
export type PublicKeySource = Jwk | { readonly keys: readonly Jwk[] } | string | WebCryptoKey | KeyObjectLike;

/** Trusted keys; one of them must have signed the card. */
export interface TrustSettings {
  /**
   * Addresses of key sets (JWKS): `https:`, or `http:` on this machine. The client no longer trusts keys that have left
   * the set.
   */
  readonly jwksUrl?: string | readonly string[] | undefined;
  /** Public keys: JWKs, sets of them, PEM, `CryptoKey`s or keys of `node:crypto`. */
  readonly keys?: PublicKeySource | readonly PublicKeySource[] | undefined;
}

/** Finds the keys that a signature may have been made with. */
export interface TrustedKeys {
  /** @throws A2AError UNREACHABLE where a set of keys cannot be had */
  find(kid: string, alg: string, signal?: AbortSignal): Promise<FoundKeys>;
}

interface FoundKeys {
  readonly keys: readonly WebCryptoKey[];
  /** Reasons why keys of this name are not used. */
  readonly refusals: readonly string[];
}

type Known = Jwk | WebCryptoKey | OwnBytes;

/** Makes the keys of a setting ready. Throws a TypeError that names what is wrong with it. */
export function trustedKeys({ jwksUrl, keys }: TrustSettings, options: RemoteKeysOptions): TrustedKeys {
  const urls = jwksUrl === undefined ? [] : [jwksUrl].flat();
  const sources = keys === undefined ? [] : [keys].flat();
  if (urls.length + sources.length === 0) throw new TypeError('trust needs keys or jwksUrl');
  const remote = urls.map((url) => new RemoteKeySet(url, options));
  const known = sources.flatMap((source, index) => {
    try {
      return knownKeys(source);
    } catch (error) {
      throw new TypeError(`trust.keys[${index}]: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  const seconds = () => options.now() / 1000;
  return {
    find: async (kid, alg, signal) => {
      const own = await usable(known, kid, alg, seconds());
      if (own.keys.length > 0 || remote.length === 0) return own;
      const sets = await Promise.all(remote.map((set) => set.keysFor(kid, signal)));
      const found = await usable(sets.flat(), kid, alg, seconds());
      return { keys: found.keys, refusals: [...own.refusals, ...found.refusals] };
    },
  };
}

function knownKeys(source: PublicKeySource): readonly Known[] {
  if (typeof source === 'string') return [readPem(source, 'PUBLIC KEY')];
  if (isCryptoKey(source)) {
    if (source.type !== 'public') throw new TypeError(`a public key is needed, not a ${source.type} one`);
    return [source];
  }
  if (isKeyObject(source))
    return [checkedJwk(source.type === 'secret' ? { kty: 'oct' } : source.export({ format: 'jwk' }))];
  if (isPlainObject(source) && Array.isArray(source.keys)) return source.keys.map(checkedJwk);
  return [checkedJwk(source)];
}

function checkedJwk(key: unknown): Jwk {
  if (!isJwk(key)) throw new TypeError('it must be a JWK (with kty), a set of them (with keys), PEM or a CryptoKey');
  if (key.kty === 'oct')
    throw new TypeError('it is a shared secret, with which its holders could sign cards themselves');
  return publicHalf(key);
}

/** The most keys tried for one signature. */
const MOST_TRIED = 8;

async function usable(known: readonly Known[], kid: string, alg: string, now: number): Promise<FoundKeys> {
  const keys: WebCryptoKey[] = [];
  const refusals: string[] = [];
  for (const key of known) {
    if (keys.length === MOST_TRIED) break;
    const found = await usableKey(key, kid, alg, now).catch(
      (error: unknown) => `its key cannot be used: ${String(error)}`,
    );
    if (typeof found === 'string') refusals.push(found);
    else if (found) keys.push(found);
  }
  return { keys, refusals };
}

/** Undefined for another key than the one that is asked for; a sentence for one that must not be used. */
async function usableKey(
  key: Known,
  kid: string,
  alg: string,
  now: number,
): Promise<WebCryptoKey | string | undefined> {
  const algorithm = algorithmNamed(alg);
  if (!algorithm) return undefined;
  if (key instanceof Uint8Array) {
    // The bytes say which algorithm they are for: those of another one cannot be imported.
    const imported = await importBytes('spki', key, algorithm).catch(() => undefined);
    if (imported) requireStrong(imported);
    return imported;
  }
  if (isCryptoKey(key)) return fitsCryptoKey(key, algorithm.parameters) ? key : undefined;
  if (key.kid !== undefined && key.kid !== kid) return undefined;
  const reason = unusableBecause(key, alg, now);
  if (reason !== undefined) return reason;
  const imported = await importJwk(key, algorithm, 'verify');
  requireStrong(imported);
  return imported;
}

/** The members by which a key of WebCrypto is bound to one algorithm. */
interface NativeAlgorithm {
  readonly name: string;
  readonly namedCurve?: string;
  readonly hash?: { readonly name: string };
}

function fitsCryptoKey({ algorithm, usages }: WebCryptoKey, wanted: Readonly<Record<string, unknown>>): boolean {
  const { name, namedCurve, hash } = algorithm as NativeAlgorithm;
  if (name !== wanted.name || !usages.includes('verify')) return false;
  if (namedCurve !== undefined && namedCurve !== wanted.namedCurve) return false;
  return hash === undefined || hash.name === wanted.hash;
}

function unusableBecause(key: Jwk, alg: string, now: number): string | undefined {
  if (!fitsAlgorithm(key, alg)) return `its key is not one for ${alg}`;
  if (key.use !== undefined && key.use !== 'sig') return 'its key is not for signatures';
  if (Array.isArray(key.key_ops) && !key.key_ops.includes('verify')) return 'its key is not for verifying';
  if (key.revoked !== undefined && key.revoked !== false) return 'its key was revoked';
  if (typeof key.exp === 'number' && key.exp <= now) return 'its key has expired';
  if (typeof key.nbf === 'number' && key.nbf > now) return 'its key is not valid yet';
  return undefined;
}
