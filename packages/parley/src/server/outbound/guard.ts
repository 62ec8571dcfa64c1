import type { Exchanges } from './node/exchanges.ts';
import type { NameLookups } from './node/lookups.ts';
import type { OpenResponse } from './node/open-response.ts';
import type { OutboundResponse, WholeResponse } from './node/responses.ts';
import { OutboundError } from './outbound-error.ts';
import { checkAddresses, readTarget, type Target } from './rules.ts';
import { type OutboundOptions, type OutboundSettings, readSettings } from './settings.ts';

/** Milliseconds to wait for the addresses of a name when its URL is given. */
const LOOKUP_PATIENCE = 3_000;
const DEFAULT_TIMEOUT = 20_000;
const MOST_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** A compressed body could be far larger than what was read of it. */
const PLAIN_BODY = { 'accept-encoding': 'identity' };

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds, for the lookup of the name, the connection and the response. Default 20 s. */
  readonly timeout?: number | undefined;
}

export interface GetRequest {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds, for all of it, redirects included. Default 20 s. */
  readonly timeout?: number | undefined;
  /** The largest body, in bytes. */
  readonly maxBytes: number;
}

interface OpenRequest extends GetRequest {
  readonly method: string;
  readonly body?: Uint8Array | undefined;
}

/** The part of a guard that needs Node. */
interface Network {
  readonly exchanges: Exchanges;
  readonly lookups: NameLookups;
}

/**
 * Calls URLs that callers gave, and nothing that callers must not reach through this server: every address of a name is
 * checked, and the connection goes to a checked address. A POST is not redirected.
 */
export class OutboundGuard {
  readonly #settings: OutboundSettings;
  #network: Promise<Network> | undefined;

  /** Throws a TypeError for options that are wrong; `name`, such as `push.`, stands before theirs. */
  constructor(options: OutboundOptions = {}, name = '') {
    this.#settings = readSettings(options, name);
  }

  /**
   * Throws an `OutboundError` for a URL that would be refused. A name that has no address now is taken: it may have one by
   * the time it is called, and is checked then.
   */
  async checkUrl(url: string): Promise<void> {
    const target = readTarget(url, this.#settings);
    if (target.address) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<readonly string[]>((resolve) => {
      timer = setTimeout(resolve, LOOKUP_PATIENCE, []);
    });
    const unresolved = (): readonly string[] => [];
    const answers = await Promise.race([this.#lookUp(target).catch(unresolved), patience]);
    clearTimeout(timer);
    checkAddresses(answers, target, this.#settings);
  }

  /** Posts a body and resolves with the head of the response, whatever its status. Throws an `OutboundError`. */
  async post(
    url: string,
    { headers, body, signal, timeout = DEFAULT_TIMEOUT }: PostRequest,
  ): Promise<OutboundResponse> {
    const target = readTarget(url, this.#settings);
    const { exchanges } = await this.#loadNetwork();
    const request = { method: 'POST', headers, body, signal, timeout } as const;
    return exchanges.post(target, request, () => this.#checkedAddresses(target));
  }

  /**
   * Gets what is at a URL, whatever its status, and follows a few redirects, each to a URL that is checked as the first one
   * was. Headers go to the origin that was asked for and to no other. Throws an `OutboundError`.
   */
  async get(
    url: string,
    { headers = {}, signal, timeout = DEFAULT_TIMEOUT, maxBytes }: GetRequest,
  ): Promise<WholeResponse> {
    const deadline = performance.now() + timeout;
    const { origin } = URL.parse(url) ?? {};
    let next = url;
    for (let redirects = 0; ; redirects += 1) {
      const target = readTarget(next, this.#settings);
      const { exchanges } = await this.#loadNetwork();
      const left = Math.max(1, Math.ceil(deadline - performance.now()));
      const request = {
        method: 'GET',
        headers: { ...PLAIN_BODY, ...(target.url.origin === origin && headers) },
        signal,
        timeout: left,
      } as const;
      const response = await exchanges.get(target, request, () => this.#checkedAddresses(target), maxBytes);
      const location = REDIRECTS.has(response.status) ? response.headers.location : undefined;
      if (location === undefined) return response;
      if (redirects === MOST_REDIRECTS) throw new OutboundError('REFUSED', 'redirects too often');
      next = URL.parse(location, target.url.href)?.href ?? location;
    }
  }

  /**
   * Sends a request and resolves when its response has begun, whatever its status; the body is read while it comes. It is sent
   * once and not redirected. Throws an `OutboundError`.
   */
  async open(
    url: string,
    { method, headers = {}, body, signal, timeout = DEFAULT_TIMEOUT, maxBytes }: OpenRequest,
  ): Promise<OpenResponse> {
    const target = readTarget(url, this.#settings);
    const { exchanges } = await this.#loadNetwork();
    const length = body && { 'content-length': String(body.length) };
    const all = { ...headers, ...PLAIN_BODY, ...length, connection: 'close' };
    const request = { method, headers: all, body, signal, timeout };
    return exchanges.open(target, request, () => this.#checkedAddresses(target), maxBytes);
  }

  /** Closes idle connections. What is under way ends by its signal or its time. */
  async close(): Promise<void> {
    const network = await this.#network?.catch(() => undefined);
    network?.exchanges.close();
  }

  async #checkedAddresses(target: Target): Promise<readonly string[]> {
    const answers = await this.#lookUp(target).catch((error: unknown): never => {
      throw new OutboundError('UNRESOLVED', 'has a name without an address', error);
    });
    if (answers.length === 0) throw new OutboundError('UNRESOLVED', 'has a name without an address');
    checkAddresses(answers, target, this.#settings);
    return answers;
  }

  async #lookUp({ host }: Target): Promise<readonly string[]> {
    const { resolve } = this.#settings;
    return resolve ? resolve(host) : (await this.#loadNetwork()).lookups.find(host);
  }

  #loadNetwork(): Promise<Network> {
    this.#network ??= loadNetwork(this.#settings);
    return this.#network;
  }
}

async function loadNetwork({ ca }: OutboundSettings): Promise<Network> {
  const [{ Exchanges }, { NameLookups }] = await Promise.all([
    import('./node/exchanges.ts'),
    import('./node/lookups.ts'),
  ]);
  return { exchanges: new Exchanges(ca), lookups: new NameLookups() };
}
