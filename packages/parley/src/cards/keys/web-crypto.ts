import type { OwnBytes } from '../../model/basics/bytes.ts';
import { type Algorithm, algorithmNamed, type Jwk } from './algorithms.ts';

/** A `CryptoKey`, as far as it is looked at here. Written out, as it has no name that every set of types knows. */
export interface WebCryptoKey {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly string[];
}

/** A `CryptoKeyPair`. */
export interface WebCryptoKeyPair {
  readonly privateKey: WebCryptoKey;
  readonly publicKey: WebCryptoKey;
}

type NativeKey = InstanceType<typeof CryptoKey>;

/** A new pair of keys for an algorithm of elliptic curves. */
export async function newKeyPair(name: 'ES256' | 'ES384' | 'ES512'): Promise<WebCryptoKeyPair> {
  const { parameters } = algorithmNamed(name) as Algorithm;
  return (await crypto.subtle.generateKey(parameters, true, ['sign', 'verify'])) as unknown as WebCryptoKeyPair;
}

export function isCryptoKey(value: unknown): value is WebCryptoKey {
  return typeof CryptoKey !== 'undefined' && value instanceof CryptoKey;
}

/** The algorithm is the one that is asked for: what the key says about its use was looked at before. */
export function importJwk(key: Jwk, algorithm: Algorithm, usage: 'sign' | 'verify') {
  const material = { ...key, use: undefined, key_ops: undefined, alg: undefined, ext: undefined };
  return crypto.subtle.importKey('jwk', material, algorithm.parameters, true, [usage]) as Promise<WebCryptoKey>;
}

/** Reads the bytes of a PEM block: `pkcs8` for private keys, `spki` for public ones. */
export function importBytes(format: 'pkcs8' | 'spki', bytes: OwnBytes, algorithm: Algorithm) {
  const usage = format === 'pkcs8' ? 'sign' : 'verify';
  return crypto.subtle.importKey(format, bytes, algorithm.parameters, true, [usage]) as Promise<WebCryptoKey>;
}

export async function exportJwk(key: WebCryptoKey): Promise<Jwk> {
  return (await crypto.subtle.exportKey('jwk', key as NativeKey)) as Jwk;
}

export async function sign(key: WebCryptoKey, algorithm: Algorithm, bytes: OwnBytes): Promise<OwnBytes> {
  return new Uint8Array(await crypto.subtle.sign(algorithm.parameters, key as NativeKey, bytes));
}

/** False for what is no signature at all, too: some runtimes throw there. */
export function verify(
  key: WebCryptoKey,
  algorithm: Algorithm,
  signature: OwnBytes,
  bytes: OwnBytes,
): Promise<boolean> {
  return crypto.subtle.verify(algorithm.parameters, key as NativeKey, signature, bytes).catch(() => false);
}

export async function sha256(bytes: OwnBytes): Promise<OwnBytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
