import { type ExchangeRequest, type Peer, Unread } from '../../bindings/exchange.ts';
import type { Caller } from '../../model/call.ts';
import type { ServerCore } from '../../server/core/core.ts';
import type { HeldBodies, HeldBody } from '../../server/http/held/held-bodies.ts';
import { httpError } from '../../server/http/responses.ts';
import { belowPrefix } from '../../server/routing/paths.ts';
import { isLargeWebBody, readWebBody } from '../body/web-body.ts';
import { toResponse } from './web-response.ts';

/** The server that responds to a `fetch`. */
type FetchedCore = Pick<ServerCore, 'bodies' | 'clock' | 'handle' | 'limits'>;

interface FetchedCall {
  /** The caller, where that is known and needs no proof. */
  readonly caller?: Caller | undefined;
  /** Path and query below the prefix. Default: those of the request. */
  readonly url?: string | undefined;
  readonly prefix?: string | undefined;
  /** See `Peer`; asked for only where it is needed. Default: false. */
  readonly isLocal?: (() => boolean) | undefined;
  /** See `Peer`. Default: it is not known. */
  readonly address?: (() => string | undefined) | undefined;
  /** Default: that of the request's URL. */
  readonly protocol?: 'http' | 'https' | undefined;
  /** The body, where other code has read it already; the request is then not read. */
  readonly body?: unknown;
}

/** A web request as an exchange. It listens to the request's signal only where that is asked for. */
class WebExchange implements ExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly prefix: string | undefined;
  readonly headers: ExchangeRequest['headers'];
  body: unknown;
  readonly peer: Peer;
  readonly caller: Caller | undefined;
  readonly takesPieces = true;
  /** Undefined where other code has read the body. */
  readonly #bodies: HeldBodies | undefined;
  readonly #request: Request;
  #held: HeldBody | undefined;
  #listeners: Set<() => void> | undefined;
  #isLeft = false;

  constructor(core: FetchedCore, request: Request, call: FetchedCall) {
    const { host, protocol } = new URL(request.url);
    this.method = request.method;
    this.url = call.url ?? urlOf(request);
    this.prefix = call.prefix;
    this.headers = { host, ...Object.fromEntries(request.headers) };
    this.body = call.body;
    this.#bodies = 'body' in call ? undefined : core.bodies;
    this.peer = {
      protocol: call.protocol ?? (protocol === 'https:' ? 'https' : 'http'),
      get isLocal() {
        return call.isLocal?.();
      },
      get address() {
        return call.address?.();
      },
    };
    this.caller = call.caller;
    this.#request = request;
  }

  get isBodyLarge(): boolean {
    return isLargeWebBody(this.#request);
  }

  readBody(most: number | undefined): Promise<void> | undefined {
    const bodies = this.#bodies;
    if (!bodies || !this.#request.body) return undefined;
    return new Promise((resolve) => {
      this.#held = readWebBody(this.#request, bodies, most, (body) => {
        this.body = body;
        resolve();
      });
    });
  }

  releaseBody(summary?: unknown): void {
    if (!(this.body instanceof Unread)) this.body = summary;
    this.#held?.release();
  }

  onAbort(listener: () => void): () => void {
    const { signal } = this.#request;
    if (this.#isLeft || signal.aborted) {
      listener();
      return () => {};
    }
    if (!this.#listeners) {
      this.#listeners = new Set();
      signal.addEventListener('abort', this.leave, { once: true });
    }
    this.#listeners.add(listener);
    return () => void this.#listeners?.delete(listener);
  }

  /** The client has closed its connection, or its runtime has canceled the response. */
  readonly leave = (): void => {
    this.#isLeft = true;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  };
}

/** A web `Request` in, a web `Response` out: Bun, Deno, Workers, and calls without a socket. */
export async function handleFetch(core: FetchedCore, request: Request, call: FetchedCall = {}): Promise<Response> {
  const exchange = new WebExchange(core, request, call);
  try {
    const { clock, limits } = core;
    // Agents of this server read each other's answers at a pace of their own.
    const patience = call.caller === undefined ? limits.stallTimeout : Number.POSITIVE_INFINITY;
    return toResponse(await core.handle(exchange), request, { leave: exchange.leave, clock, patience });
  } finally {
    exchange.releaseBody();
  }
}

/** For a server that is mounted where the requests' paths begin with `mount`. Nothing is found outside of it. */
export async function handleMounted(
  core: FetchedCore,
  request: Request,
  mount: string,
  call: Pick<FetchedCall, 'prefix' | 'protocol' | 'isLocal' | 'address'> = {},
): Promise<Response> {
  const url = belowPrefix(urlOf(request), mount);
  if (url === undefined) return toResponse(httpError('NOT_FOUND', `Nothing is served outside of ${mount}`), request);
  return handleFetch(core, request, { prefix: mount, ...call, url });
}

/** Path and query. */
export function urlOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
