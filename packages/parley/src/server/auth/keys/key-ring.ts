import { toBase64Url } from '../../../model/basics/bytes.ts';
import type { Identity } from '../authenticator.ts';
import { areEqualBytes } from '../digest.ts';
import { checkedIdentity } from '../identity.ts';
import { IdentityCache } from '../identity-cache.ts';
import type { PasswordHash } from '../schemes/password-hash.ts';
import type { CheckedKey, KeyEntry } from './key-record.ts';
import { idOf } from './key-text.ts';

interface DigestKey {
  readonly digest: Uint8Array;
  readonly identity: Identity;
}

interface WeakKey {
  readonly hash: PasswordHash;
  readonly identity: Identity;
}

/** A wrong key costs a slow hash for each of these. */
const MOST_WEAK_KEYS = 16;

/** A set of keys at one time. */
export class KeyRing {
  /** Texts that were keys of this ring. */
  readonly known = new IdentityCache();
  readonly #byDigest = new Map<string, DigestKey>();
  readonly #weakById = new Map<string, WeakKey>();
  /** In place of an unknown key, so that a look-up takes the same steps. */
  readonly #decoy = crypto.getRandomValues(new Uint8Array(32));

  constructor(keys: readonly CheckedKey[]) {
    for (const { entry, hash } of keys) {
      const identity = identityOf(entry);
      if (hash.type === 'scrypt') this.#weakById.set(entry.id, { hash: hash.hash, identity });
      else this.#byDigest.set(toBase64Url(hash.digest), { digest: hash.digest, identity });
    }
    if (this.#weakById.size > MOST_WEAK_KEYS) {
      throw new TypeError(
        `More than ${MOST_WEAK_KEYS} keys have slow hashes; parley keys create makes keys that need none`,
      );
    }
  }

  /**
   * The identity of a random key, found by its digest: what a caller guesses of a key tells nothing about the digest, so
   * the search leaks nothing, and the comparison takes the same time for every digest.
   */
  find(digest: Uint8Array): Identity | undefined {
    const found = this.#byDigest.get(toBase64Url(digest));
    const isEqual = areEqualBytes(digest, found?.digest ?? this.#decoy);
    return isEqual ? found?.identity : undefined;
  }

  /** The keys with a slow hash that a text may be: the one whose id it names, else each of them. */
  weakCandidates(text: string): readonly WeakKey[] {
    if (this.#weakById.size === 0) return [];
    const named = this.#weakById.get(idOf(text) ?? '');
    return named ? [named] : [...this.#weakById.values()];
  }
}

function identityOf({ id, subject, tenant, scopes = [] }: KeyEntry): Identity {
  return checkedIdentity({ subject, tenant, scopes, claims: { keyId: id } });
}
