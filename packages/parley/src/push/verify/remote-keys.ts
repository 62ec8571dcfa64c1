import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { WebKey } from '../../model/basics/bytes.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { PushError } from './push-error.ts';
import { readChunks } from './received-request.ts';

const LARGEST_JWKS = 256 * 1024;
const MOST_KEYS = 64;
const LONGEST_WAIT = 5_000;
/** The time after which keys are read again. */
const FRESH_FOR = 10 * 60_000;
/** An unknown key is looked for again at most so often. */
const COOLDOWN = 30_000;

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

interface Loaded {
  readonly at: number;
  readonly keys: JSONWebKeySet['keys'];
}

/** The public keys of a sender, read from its address when they are needed and kept for ten minutes. */
export class RemotePushKeys {
  readonly #url: string;
  readonly #fetch: Fetch;
  readonly #now: () => number;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, fetch: Fetch, now: () => number) {
    this.#url = url;
    this.#fetch = fetch;
    this.#now = now;
  }

  /** For `jwtVerify`. The key that the token names is looked for again where it is new. */
  async setFor(kid: string | undefined): Promise<ReturnType<typeof createLocalJWKSet>> {
    let { keys } = await this.#get(FRESH_FOR);
    if (kid !== undefined && !keys.some((key) => key.kid === kid)) ({ keys } = await this.#get(COOLDOWN));
    return createLocalJWKSet({ keys });
  }

  /** The ed25519 keys; `isAgain` where none of those that are known was right. */
  async ed25519Keys(isAgain: boolean): Promise<readonly WebKey[]> {
    const { keys } = await this.#get(isAgain ? COOLDOWN : FRESH_FOR);
    const own = keys.filter(({ kty, crv, x }) => kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string');
    const read = own.map(({ x }) => {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: String(x) };
      return crypto.subtle.importKey('jwk', jwk, 'Ed25519', true, ['verify']).catch(() => undefined);
    });
    return (await Promise.all(read)).filter((key) => key !== undefined);
  }

  async #get(maximumAge: number): Promise<Loaded> {
    const loaded = this.#loaded;
    const now = this.#now();
    if (loaded && now - loaded.at < maximumAge) return loaded;
    // A sender that is down is not asked for each of its notifications.
    if (now - this.#triedAt < COOLDOWN && !this.#loading) {
      if (loaded) return loaded;
      throw new PushError('KEYS_UNAVAILABLE', "The sender's keys could not be read a moment ago");
    }
    this.#triedAt = now;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    try {
      return await this.#loading;
    } catch (error) {
      if (loaded) return loaded;
      throw new PushError('KEYS_UNAVAILABLE', "The sender's keys cannot be read now", error);
    }
  }

  async #load(): Promise<Loaded> {
    const signal = AbortSignal.timeout(LONGEST_WAIT);
    const headers = { accept: 'application/json' };
    const response = await this.#fetch(this.#url, { redirect: 'error', signal, headers });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`The keys' address responds with ${response.status}`);
    }
    const text = new TextDecoder().decode(await readChunks(response.body ?? emptyBody(), LARGEST_JWKS));
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value) || !Array.isArray(value.keys)) throw new Error("The keys' address has no JWKS");
    const keys = value.keys.filter(isPlainObject).slice(0, MOST_KEYS) as JSONWebKeySet['keys'];
    this.#loaded = { at: this.#now(), keys };
    return this.#loaded;
  }
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
