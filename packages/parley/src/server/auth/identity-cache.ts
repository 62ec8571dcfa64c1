import type { Identity } from './authenticator.ts';

interface Entry {
  readonly identity: Identity;
  readonly until: number;
}

/** The bounds of a cache. */
interface CacheBounds {
  readonly entries: number;
  /** All keys together. */
  readonly characters: number;
}

const CACHE_BOUNDS: CacheBounds = { entries: 10_000, characters: 16 * 1024 * 1024 };

/** Identities by the credential that proved them; the one that was not used for longest goes first. */
export class IdentityCache {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  constructor(bounds: CacheBounds = CACHE_BOUNDS) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, now: number): Identity | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.until <= now) {
      this.#characters -= key.length;
      return undefined;
    }
    this.#entries.set(key, entry);
    return entry.identity;
  }

  set(key: string, identity: Identity, until = Number.POSITIVE_INFINITY): void {
    if (!this.#entries.delete(key)) this.#characters += key.length;
    this.#entries.set(key, { identity, until });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#bounds.entries && this.#characters <= this.#bounds.characters) return;
      this.#entries.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#characters = 0;
  }
}
