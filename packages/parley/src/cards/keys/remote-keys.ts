import { discard, parseJson, readText } from '../../bindings/http/response.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import type { Jwk } from './algorithms.ts';
import { isJwk, publicHalf } from './key-kinds.ts';

/** Milliseconds after which a set is loaded again, so that revoked keys are forgotten. */
const KEYS_MAX_AGE = 10 * 60_000;
/** The least milliseconds between loads of a set because of unknown keys. */
const UNKNOWN_KEY_COOLDOWN = 30_000;
const LARGEST_SET_BYTES = 256 * 1024;
const MOST_KEYS = 100;
const LONGEST_WAIT_MS = 10_000;

export interface RemoteKeysOptions {
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

/** A set of public keys at an address that the user named. It is asked without credentials and without following redirects. */
export class RemoteKeySet {
  readonly #url: string;
  readonly #options: RemoteKeysOptions;
  #keys: readonly Jwk[] | undefined;
  #loadedAt = 0;
  #loading: Promise<void> | undefined;

  /** Throws a TypeError for an address that others on the way could answer for. */
  constructor(url: string, options: RemoteKeysOptions) {
    this.#url = checkedUrl(url);
    this.#options = options;
  }

  /** The keys of the set, loaded again where it is old, or where none has this name. */
  async keysFor(kid: string, signal: AbortSignal | undefined): Promise<readonly Jwk[]> {
    const age = this.#options.now() - this.#loadedAt;
    const isUnknown = !this.#keys?.some((key) => key.kid === undefined || key.kid === kid);
    if (!this.#keys || age >= KEYS_MAX_AGE || (isUnknown && age >= UNKNOWN_KEY_COOLDOWN)) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await withSignal(this.#loading, signal);
    }
    return this.#keys ?? [];
  }

  async #load(): Promise<void> {
    const keys = await fetchKeys(this.#url, this.#options.fetch);
    this.#keys = keys;
    this.#loadedAt = this.#options.now();
  }
}

async function fetchKeys(url: string, send: typeof fetch): Promise<readonly Jwk[]> {
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  try {
    const response = await send(url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'manual',
      credentials: 'omit',
      signal,
    });
    if (response.status !== 200) {
      discard(response);
      throw unavailable(
        url,
        response.status >= 300 && response.status < 400 ? 'it redirects' : `status ${response.status}`,
      );
    }
    const document = parseJson(await readText(response, LARGEST_SET_BYTES, signal));
    const keys = isPlainObject(document) ? document.keys : undefined;
    if (!Array.isArray(keys)) throw unavailable(url, 'it is not a JSON object with a list of keys');
    if (keys.length > MOST_KEYS) throw unavailable(url, `it has more than ${MOST_KEYS} keys`);
    // Keys of kinds that are not known here are no reason to refuse those that are.
    return keys.filter(isJwk).map(publicHalf);
  } catch (error) {
    if (isA2AError(error) && error.code === 'UNREACHABLE') throw error;
    throw unavailable(url, isA2AError(error) ? error.message : 'no connection', error);
  }
}

function unavailable(url: string, problem: string, cause?: unknown): A2AError {
  return new A2AError('UNREACHABLE', `The keys at ${url} cannot be had: ${problem}`, { cause });
}

function checkedUrl(text: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError(`trust.jwksUrl is not an address: ${String(text)}`);
  if (url.username !== '' || url.password !== '')
    throw new TypeError(`trust.jwksUrl holds a name or a password: ${url.host}`);
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname) || url.hostname.endsWith('.localhost');
  if (url.protocol === 'http:' && !isHere) {
    throw new TypeError(`trust.jwksUrl must be https, as anybody on the way could change the keys: ${url.href}`);
  }
  return url.href;
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
