/** A JSON Web Key, with the members that say until when it holds. */
export interface Jwk {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly alg?: string | undefined;
  readonly kid?: string | undefined;
  readonly use?: string | undefined;
  readonly key_ops?: readonly string[] | undefined;
  readonly [member: string]: unknown;
}

/** An algorithm of JWS. */
export interface Algorithm {
  readonly kty: 'EC' | 'OKP' | 'RSA';
  readonly crv?: string;
  /** For `importKey`, and with the hash for `sign` and `verify`. */
  readonly parameters: Readonly<Record<string, unknown>> & { readonly name: string };
}

const ecdsa = (namedCurve: string, hash: string): Algorithm => ({
  kty: 'EC',
  crv: namedCurve,
  parameters: { name: 'ECDSA', namedCurve, hash },
});
const pkcs1 = (hash: string): Algorithm => ({ kty: 'RSA', parameters: { name: 'RSASSA-PKCS1-v1_5', hash } });
const pss = (hash: string, saltLength: number): Algorithm => ({
  kty: 'RSA',
  parameters: { name: 'RSA-PSS', hash, saltLength },
});
const ED25519: Algorithm = { kty: 'OKP', crv: 'Ed25519', parameters: { name: 'Ed25519' } };

/** The algorithms of JWS that cards are signed with: public keys alone, because a client that verifies by a shared secret can sign too. */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  ES256: ecdsa('P-256', 'SHA-256'),
  ES384: ecdsa('P-384', 'SHA-384'),
  ES512: ecdsa('P-521', 'SHA-512'),
  EdDSA: ED25519,
  Ed25519: ED25519,
  RS256: pkcs1('SHA-256'),
  RS384: pkcs1('SHA-384'),
  RS512: pkcs1('SHA-512'),
  PS256: pss('SHA-256', 32),
  PS384: pss('SHA-384', 48),
  PS512: pss('SHA-512', 64),
};

export const ALGORITHM_NAMES: readonly string[] = Object.keys(ALGORITHMS);

/** RSA keys with fewer bits are refused. */
const LEAST_RSA_BITS = 2048;

export function algorithmNamed(name: string): Algorithm | undefined {
  return Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
}

/** Tells whether a key can be used with an algorithm. A key that names its algorithm is used with no other. */
export function fitsAlgorithm({ kty, crv, alg }: Jwk, name: string): boolean {
  const algorithm = algorithmNamed(name);
  if (!algorithm || kty !== algorithm.kty || (algorithm.crv !== undefined && crv !== algorithm.crv)) return false;
  return alg === undefined || alg === name || algorithmNamed(alg) === algorithm;
}

/** The algorithm that a key signs with; undefined for a key that signs nothing. `Ed25519` is a name that few verifiers know. */
export function algorithmOf(key: Jwk): string | undefined {
  return (key.alg === 'Ed25519' ? 'EdDSA' : key.alg) ?? ALGORITHM_NAMES.find((name) => fitsAlgorithm(key, name));
}

/** Throws a TypeError for an RSA key that is too short. */
export function requireStrong({
  algorithm,
}: {
  readonly algorithm: { readonly name: string; readonly modulusLength?: number };
}): void {
  const { modulusLength } = algorithm;
  if (modulusLength !== undefined && modulusLength < LEAST_RSA_BITS) {
    throw new TypeError(`an RSA key needs at least ${LEAST_RSA_BITS} bits; this one has ${modulusLength}`);
  }
}
