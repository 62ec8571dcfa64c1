import type { Identity } from '../authenticator.ts';
import { IdentityCache } from '../identity-cache.ts';
import { loadCrypto } from './scrypt.ts';

/** Milliseconds after which a correct password is checked again. */
const PASSWORD_MAX_AGE = 10 * 60_000;

/**
 * Remembers credentials that were right, by a hash under a key that only this process has: the credentials themselves
 * are not kept. Wrong ones are not remembered. Requests that bring the same credential at the same time share one check.
 */
export class PasswordMemory {
  readonly #known = new IdentityCache();
  readonly #checking = new Map<string, Promise<Identity>>();
  readonly #key = crypto.getRandomValues(new Uint8Array(32));
  #node: Awaited<ReturnType<typeof loadCrypto>> | undefined;

  /** The identity at once where the credential is known, else what the check finds. */
  recall(credential: string, now: number, check: () => Promise<Identity>): Identity | Promise<Identity> {
    if (this.#node === undefined) return this.#prepare().then(() => this.recall(credential, now, check));
    const fingerprint = this.#node.createHmac('sha256', this.#key).update(credential).digest('base64');
    return this.#known.get(fingerprint, now) ?? this.#checking.get(fingerprint) ?? this.#check(fingerprint, now, check);
  }

  forget(): void {
    this.#known.clear();
    this.#checking.clear();
  }

  async #prepare(): Promise<void> {
    this.#node = await loadCrypto();
  }

  #check(fingerprint: string, now: number, check: () => Promise<Identity>): Promise<Identity> {
    const checking = this.#run(fingerprint, now, check);
    this.#checking.set(fingerprint, checking);
    return checking;
  }

  async #run(fingerprint: string, now: number, check: () => Promise<Identity>): Promise<Identity> {
    try {
      // Later than `set` in `#check`, however quick the check is.
      await Promise.resolve();
      const identity = await check();
      // An identity forgotten meanwhile stays forgotten.
      if (this.#checking.has(fingerprint)) this.#known.set(fingerprint, identity, now + PASSWORD_MAX_AGE);
      return identity;
    } finally {
      this.#checking.delete(fingerprint);
    }
  }
}
