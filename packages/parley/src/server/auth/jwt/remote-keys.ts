import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { AuthTools } from '../authenticator.ts';
import { uncheckable } from '../refusals.ts';

/** Milliseconds after which keys are loaded again, so that revoked ones are forgotten. */
const KEYS_MAX_AGE = 10 * 60_000;
/** The least milliseconds between questions to the issuer because of unknown key ids. */
const UNKNOWN_KEY_COOLDOWN = 30_000;
/** Milliseconds of rest for the issuer after a failure, as long as no keys are known; else as above. */
const FAILURE_COOLDOWN = 1_000;
/** The largest set of keys that is taken. */
const MOST_KEYS = 100;

type FindKey = JWTVerifyGetKey;
type FindArguments = Parameters<FindKey>;

interface KnownKeys {
  readonly find: FindKey;
  /** Each key as text. */
  readonly texts: ReadonlySet<string>;
}

/**
 * Keys of an issuer, loaded when they are needed and again when they are old or a token names an unknown one. Known keys
 * stay in use while the issuer cannot be reached.
 */
export class RemoteKeys {
  /** Called when a key is no longer published. */
  onWithdrawn: () => void = () => {};
  readonly #issuer: string;
  readonly #load: () => Promise<Readonly<Record<string, unknown>>>;
  readonly #tools: () => AuthTools;
  #known: KnownKeys | undefined;
  #loading: Promise<boolean> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(issuer: string, load: () => Promise<Readonly<Record<string, unknown>>>, tools: () => AuthTools) {
    this.#issuer = issuer;
    this.#load = load;
    this.#tools = tools;
  }

  /** Loads old keys again, without waiting for them. */
  refreshIfOld(): void {
    if (this.#age() >= KEYS_MAX_AGE) void this.#refresh();
  }

  async find(...[header, token]: FindArguments): Promise<Awaited<ReturnType<FindKey>>> {
    if (this.#known === undefined) await this.#refresh();
    else this.refreshIfOld();
    if (this.#known === undefined) throw uncheckable();
    try {
      return await this.#known.find(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || this.#age() < UNKNOWN_KEY_COOLDOWN || !(await this.#refresh())) throw error;
    }
    return this.#known.find(header, token);
  }

  #age(): number {
    return this.#tools().now() - this.#loadedAt;
  }

  /** Loads the keys and tells whether that worked. One load at a time, shared by all who wait. */
  async #refresh(): Promise<boolean> {
    if (this.#loading) return this.#loading;
    const cooldown = this.#known ? UNKNOWN_KEY_COOLDOWN : FAILURE_COOLDOWN;
    if (this.#tools().now() - this.#failedAt < cooldown) return false;
    this.#loading = this.#loadOnce();
    try {
      return await this.#loading;
    } finally {
      this.#loading = undefined;
    }
  }

  async #loadOnce(): Promise<boolean> {
    const { log, now } = this.#tools();
    try {
      const before = this.#known;
      this.#known = knownKeys(await this.#load());
      this.#loadedAt = now();
      const { texts } = this.#known;
      if (before && [...before.texts].some((text) => !texts.has(text))) this.onWithdrawn();
      return true;
    } catch (error) {
      this.#failedAt = now();
      const isClosing = error instanceof Error && error.name === 'AbortError';
      if (isClosing) return false;
      const consequence = this.#known
        ? 'the known ones stay in use'
        : 'its tokens are refused until they can. Is the address right, and can this machine reach it?';
      log.warn(`The keys of an issuer cannot be loaded; ${consequence}`, { issuer: this.#issuer, error });
      return false;
    }
  }
}

function knownKeys(document: Readonly<Record<string, unknown>>): KnownKeys {
  const { keys } = document;
  if (!Array.isArray(keys)) throw new Error('The document has no list of keys');
  if (keys.length > MOST_KEYS) throw new Error(`There are more than ${MOST_KEYS} keys`);
  return {
    find: createLocalJWKSet({ keys } as JSONWebKeySet),
    texts: new Set(keys.map((key) => JSON.stringify(key))),
  };
}
