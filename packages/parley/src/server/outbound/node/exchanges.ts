import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { OutboundError } from '../outbound-error.ts';
import type { Target } from '../rules.ts';
import { asOutboundError, isStaleConnection } from './failures.ts';
import { type OpenResponse, openResponse } from './open-response.ts';
import { bodyOf, drained, headOf, type OutboundResponse, type WholeResponse } from './responses.ts';

/** The largest head of a response, in bytes. */
export const LARGEST_HEAD = 16 * 1024;
/** Milliseconds for which a connection without a request is kept. */
const IDLE_TIMEOUT = 10_000;
/** The most connections without a request that are kept for one host. */
const MOST_IDLE = 8;
const MOST_IDLE_IN_ALL = 256;

/** One request, to a target that has been checked. */
export interface OutboundRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For all of it, from the lookup of the name to the end of the response, in milliseconds. */
  readonly timeout: number;
}

/** Finds and checks the addresses of the target; asked for each new connection. */
export type FindAddresses = () => Promise<readonly string[]>;

/** Connects to no other addresses than it is given, and follows no redirects. */
export class Exchanges {
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;
  readonly #ca: string[] | undefined;

  constructor(ca: string | readonly string[] | undefined) {
    const options = { keepAlive: true, timeout: IDLE_TIMEOUT, maxFreeSockets: MOST_IDLE };
    this.#http = new HttpAgent(options);
    this.#https = new HttpsAgent(options);
    this.#ca = ca === undefined ? undefined : ([ca].flat() as string[]);
  }

  /** Resolves with the head of the response when the rest has been read away, or is not worth waiting for. */
  async post(target: Target, request: OutboundRequest, addresses: FindAddresses): Promise<OutboundResponse> {
    const response = await this.#send(target, request, addresses);
    await drained(response);
    return headOf(response);
  }

  /** Resolves with all of the response. */
  async get(target: Target, request: OutboundRequest, addresses: FindAddresses, most: number): Promise<WholeResponse> {
    const begun = performance.now();
    const response = await this.#send(target, request, addresses);
    try {
      return { ...headOf(response), body: await bodyOf(response, most) };
    } catch (error) {
      // The body that was cut by the timer tells of a connection that was lost.
      const isLate = performance.now() - begun >= request.timeout && !(error instanceof OutboundError);
      throw isLate
        ? new OutboundError('TIMEOUT', `did not respond within ${request.timeout} ms`)
        : asOutboundError(error);
    }
  }

  /** Resolves when the response has begun. It is sent once, over a connection of its own. */
  async open(target: Target, request: OutboundRequest, addresses: FindAddresses, most: number): Promise<OpenResponse> {
    try {
      const response = await this.#attempt(target, request, addresses, false);
      return openResponse(response, target.url.href, most);
    } catch (error) {
      throw asOutboundError(error);
    }
  }

  async #send(target: Target, request: OutboundRequest, addresses: FindAddresses): Promise<IncomingMessage> {
    try {
      return await this.#attemptTwice(target, request, addresses);
    } catch (error) {
      throw asOutboundError(error);
    }
  }

  async #attemptTwice(target: Target, request: OutboundRequest, addresses: FindAddresses): Promise<IncomingMessage> {
    try {
      return await this.#attempt(target, request, addresses, true);
    } catch (error) {
      // The peer closed the connection while it was idle. Receivers know a notification by its id.
      if (!isStaleConnection(error)) throw error;
      return this.#attempt(target, request, addresses, false);
    }
  }

  #attempt(
    { url, host, port }: Target,
    { method, headers, body, signal, timeout }: OutboundRequest,
    addresses: FindAddresses,
    mayReuse: boolean,
  ): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:';
    const shared = isSecure ? this.#https : this.#http;
    const options = {
      method,
      headers,
      host,
      port,
      path: `${url.pathname}${url.search}`,
      agent: mayReuse ? shared : false,
      lookup: lookupOf(addresses),
      maxHeaderSize: LARGEST_HEAD,
      ...(signal && { signal }),
      ...(isSecure && this.#ca && { ca: this.#ca }),
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? requestHttps : requestHttp)(options, resolve);
      const late = () => request.destroy(new OutboundError('TIMEOUT', `did not respond within ${timeout} ms`));
      const timer = setTimeout(late, timeout);
      request.on('error', (error) => reject(Object.assign(error, { isReused: request.reusedSocket })));
      request.on('close', () => {
        clearTimeout(timer);
        // Nothing after a response; without one, such as after an unwanted upgrade, the only sign.
        reject(new OutboundError('UNREACHABLE', 'closed the connection without a response'));
        this.#limitIdle(shared);
      });
      request.end(body);
    });
  }

  /** A connection that idles costs memory on both sides; the ones that are idle longest go. */
  #limitIdle(agent: HttpAgent | HttpsAgent): void {
    const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    for (const socket of idle.slice(0, Math.max(0, idle.length - MOST_IDLE_IN_ALL))) socket.destroy();
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** Gives a connection the checked addresses instead of those that the name has at that moment. */
function lookupOf(addresses: FindAddresses): LookupFunction {
  const find = callbackify(addresses);
  return (_, { all }, callback) => {
    find((error, found) => {
      if (error) return callback(error, []);
      const list = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      const [first] = list;
      if (all || !first) callback(null, list);
      else callback(null, first.address, first.family);
    });
  };
}
