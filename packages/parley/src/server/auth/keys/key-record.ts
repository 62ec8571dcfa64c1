import { isPlainObject } from '../../../model/basics/json.ts';
import { fromBase64Url } from '../digest.ts';
import { subjectProblem, tenantProblem } from '../identity.ts';
import { type PasswordHash, parseHash } from '../schemes/password-hash.ts';

/** A key as it is kept: everything but the key itself. */
export interface KeyEntry {
  /** Unique among the keys; letters, digits and hyphens. */
  readonly id: string;
  /** `sha256:` and the base64url of a random key's digest, or `scrypt:…` for a key that could be guessed. */
  readonly hash: string;
  readonly subject: string;
  /** The tenant that the caller belongs to. Default: none. */
  readonly tenant?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** When it was made, for lists. */
  readonly createdAt?: string | undefined;
}

type KeyHash =
  | { readonly type: 'sha256'; readonly digest: Uint8Array }
  | { readonly type: 'scrypt'; readonly hash: PasswordHash };

export interface CheckedKey {
  readonly entry: KeyEntry;
  readonly hash: KeyHash;
}

const ID = /^[a-zA-Z0-9-]{1,64}$/;
const DIGEST_BYTES = 32;
/** The most keys that one authenticator takes. */
const MOST_KEYS = 100_000;

export function isKeyId(id: string): boolean {
  return ID.test(id);
}

/** Throws with a sentence that names the key where an entry is wrong. */
export function checkedKeys(entries: unknown): readonly CheckedKey[] {
  if (!Array.isArray(entries)) throw new TypeError('The keys must be a list');
  if (entries.length > MOST_KEYS) throw new TypeError(`There are more than ${MOST_KEYS} keys`);
  const ids = new Set<string>();
  return entries.map((entry: unknown, index) => {
    const key = checkedKey(entry, index);
    if (ids.has(key.entry.id)) throw new TypeError(`Two keys have the id "${key.entry.id}"`);
    ids.add(key.entry.id);
    return key;
  });
}

function checkedKey(value: unknown, index: number): CheckedKey {
  if (!isPlainObject(value)) throw new TypeError(`Key ${index + 1} is not an object`);
  const { id, hash, subject, tenant, scopes, createdAt } = value;
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new TypeError(`The id of key ${index + 1} must have letters, digits and hyphens, at most 64`);
  }
  const problem = subjectProblem(subject) ?? (tenant === undefined ? undefined : tenantProblem(tenant));
  if (problem !== undefined) throw new TypeError(`Key "${id}" cannot be used: ${problem}`);
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'))) {
    throw new TypeError(`The scopes of key "${id}" must be a list of strings`);
  }
  const made = typeof createdAt === 'string' ? { createdAt } : {};
  const ofTenant = tenant === undefined ? {} : { tenant: tenant as string };
  const entry = { id, hash: String(hash), subject: subject as string, ...ofTenant, ...(scopes && { scopes }), ...made };
  return { entry, hash: hashOf(id, entry.hash) };
}

function hashOf(id: string, text: string): KeyHash {
  try {
    if (!text.startsWith('sha256:')) return { type: 'scrypt', hash: parseHash(text) };
    const digest = fromBase64Url(text.slice('sha256:'.length));
    if (digest.length !== DIGEST_BYTES) throw new TypeError('It is not a digest of 32 bytes');
    return { type: 'sha256', digest };
  } catch (error) {
    const problem = error instanceof Error ? error.message : '';
    throw new TypeError(`The hash of key "${id}" cannot be used. ${problem}; parley keys hash makes one`);
  }
}
