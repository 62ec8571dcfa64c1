import { type OwnBytes, toBase64Url } from '../../model/basics/bytes.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { canonicalJson } from '../payload/canonical-json.ts';
import {
  ALGORITHM_NAMES,
  type Algorithm,
  algorithmNamed,
  algorithmOf,
  fitsAlgorithm,
  type Jwk,
  requireStrong,
} from './algorithms.ts';
import { isJwk, isKeyObject, type KeyObjectLike, publicHalf } from './key-kinds.ts';
import { readPem } from './pem.ts';
import {
  exportJwk,
  importBytes,
  importJwk,
  isCryptoKey,
  sha256,
  type WebCryptoKey,
  type WebCryptoKeyPair,
} from './web-crypto.ts';

/** A private key: a JWK, PEM (`BEGIN PRIVATE KEY`), a pair of `CryptoKey`s or one that can be exported, or a key of `node:crypto`. */
export type PrivateKeySource = Jwk | string | WebCryptoKey | WebCryptoKeyPair | KeyObjectLike;

/** A private key that cards are signed with. */
export interface CardKey {
  readonly key: PrivateKeySource;
  /** The name by which verifiers find the public key. Default: that of the JWK, or the key's thumbprint (RFC 7638). */
  readonly kid?: string | undefined;
  /** The address of a set with the public key, for verifiers that trust that address. Default: none is named. */
  readonly jku?: string | undefined;
}

/** A key that is ready to sign. */
export interface SigningKey {
  readonly privateKey: WebCryptoKey;
  readonly alg: string;
  readonly kid: string;
  readonly jku: string | undefined;
  /** The public half, as it is published. */
  readonly publicJwk: Jwk;
}

/** Makes a key ready. Throws a TypeError that names the key, and what is wrong with it. */
export async function readSigningKey(settings: CardKey, name = 'key'): Promise<SigningKey> {
  try {
    return await readKey(settings);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${name}: ${problem}`, { cause: error });
  }
}

async function readKey({ key, kid, jku }: CardKey): Promise<SigningKey> {
  if (kid !== undefined && (typeof kid !== 'string' || kid === '')) throw new TypeError('kid must be a text');
  if (jku !== undefined && !(typeof jku === 'string' && /^https?:\/\//.test(jku) && URL.canParse(jku))) {
    throw new TypeError('jku must be an http(s) address');
  }
  const { privateKey, jwk } = await importedKey(key);
  const alg = algorithmOf(jwk);
  if (alg === undefined) throw new TypeError('it is of a kind that signs nothing here');
  requireStrong(privateKey);
  const { key_ops: _operations, ext: _extractable, ...bare } = publicHalf(jwk);
  const name = kid ?? jwk.kid ?? (await thumbprintOf(bare));
  return { privateKey, alg, kid: name, jku, publicJwk: { ...bare, kid: name, alg, use: 'sig' } };
}

interface ImportedKey {
  readonly privateKey: WebCryptoKey;
  readonly jwk: Jwk;
}

function importedKey(source: PrivateKeySource): Promise<ImportedKey> {
  if (typeof source === 'string') return importPem(readPem(source, 'PRIVATE KEY'));
  if (isCryptoKey(source)) return exportedKey(source, source);
  if (isPair(source)) return exportedKey(source.privateKey, source.publicKey);
  if (isKeyObject(source)) {
    if (source.type !== 'private') throw new TypeError(`a private key is needed, not a ${source.type} one`);
    return importedJwk(source.export({ format: 'jwk' }));
  }
  return importedJwk(source);
}

function isPair(source: unknown): source is WebCryptoKeyPair {
  return isPlainObject(source) && isCryptoKey(source.privateKey) && isCryptoKey(source.publicKey);
}

async function importedJwk(key: unknown): Promise<ImportedKey> {
  if (!isJwk(key)) throw new TypeError('it must be a JWK (with kty), PEM, a CryptoKey or a KeyObject');
  if (key.kty === 'oct') throw new TypeError('it is a shared secret; cards are signed with private keys');
  if (key.d === undefined) throw new TypeError('it is a public key; cards are signed with the private one');
  const alg = algorithmOf(key);
  const algorithm = alg !== undefined && fitsAlgorithm(key, alg) ? algorithmNamed(alg) : undefined;
  if (!algorithm) {
    const kind = [key.kty, key.crv, key.alg].filter((word) => word !== undefined).join(' ');
    throw new TypeError(`it is a key of ${kind}; use one of ${ALGORITHM_NAMES.join(', ')}`);
  }
  return { privateKey: await importJwk(key, algorithm, 'sign'), jwk: key };
}

/** A PEM block does not name its algorithm where that is easy to read: it is the first that takes the key. */
async function importPem(bytes: OwnBytes): Promise<ImportedKey> {
  for (const name of PEM_ALGORITHMS) {
    const algorithm = algorithmNamed(name) as Algorithm;
    const privateKey = await importBytes('pkcs8', bytes, algorithm).catch(() => undefined);
    if (privateKey) return { privateKey, jwk: await exportJwk(privateKey) };
  }
  throw new TypeError(`its PEM block holds no key for ${PEM_ALGORITHMS.join(', ')}`);
}

const PEM_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'];

/** @param shown the key whose public half is published */
async function exportedKey(privateKey: WebCryptoKey, shown: WebCryptoKey): Promise<ImportedKey> {
  if (privateKey.type !== 'private') throw new TypeError(`a private key is needed, not a ${privateKey.type} one`);
  if (!privateKey.usages.includes('sign')) throw new TypeError('its usages do not have "sign"');
  if (!shown.extractable)
    throw new TypeError('its public half cannot be exported; give the pair, { privateKey, publicKey }');
  return { privateKey, jwk: await exportJwk(shown) };
}

/** The members that a thumbprint covers, by the type of key (RFC 7638, RFC 8037). */
const IDENTIFYING: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

async function thumbprintOf(key: Jwk): Promise<string> {
  const members = (IDENTIFYING[key.kty ?? ''] ?? []).map((name) => [name, key[name]]);
  const text = new TextEncoder().encode(canonicalJson(Object.fromEntries(members)));
  return toBase64Url(await sha256(text));
}
