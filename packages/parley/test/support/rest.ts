import type { A2AServerOptions, Agent } from 'parley-a2a';
import { type OpenStream, openStream, type RpcFrame, sendParams, startServer, type Wire } from './rpc.ts';

type Headers = Readonly<Record<string, string>>;

const VERSION = { 'a2a-version': '1.0' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** What a refused request got. */
export interface RestError {
  readonly status: number;
  readonly headers: Response['headers'];
  /** The member `error` of the body. */
  readonly error: Wire;
}

/** Talks A2A 1.0 over HTTP+JSON to a server, with or without a socket. Routes are relative to the agent's address. */
export class RestPeer {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #url: string;

  constructor(fetch: (request: Request) => Promise<Response>, url = 'http://localhost/a2a') {
    this.#fetch = fetch;
    this.#url = url;
  }

  /** The same server with its routes below another path. */
  at(path: string): RestPeer {
    return new RestPeer(this.#fetch, new URL(path, this.#url).href);
  }

  /** A request as it stands, without any header of its own. */
  raw(route: string, init: RequestInit = {}): Promise<Response> {
    return this.#fetch(new Request(`${this.#url}${route}`, init));
  }

  /** A body that is a text is sent as it is, any other as JSON. */
  request(verb: string, route: string, body?: unknown, headers: Headers = {}): Promise<Response> {
    if (body === undefined) return this.raw(route, { method: verb, headers: { ...VERSION, ...headers } });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.raw(route, { method: verb, body: text, headers: { ...VERSION, ...JSON_TYPE, ...headers } });
  }

  /** The body of a success; throws on anything but 200. */
  async call(verb: string, route: string, body?: unknown, headers?: Headers): Promise<Wire> {
    const response = await this.request(verb, route, body, headers);
    if (response.status !== 200) throw new Error(`${verb} ${route}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** What a refused request got; throws if it succeeds. */
  async error(verb: string, route: string, body?: unknown, headers?: Headers): Promise<RestError> {
    const response = await this.request(verb, route, body, headers);
    const text = await response.text();
    if (response.ok) throw new Error(`${verb} ${route} succeeded: ${text}`);
    return { status: response.status, headers: response.headers, error: JSON.parse(text).error };
  }

  /** Opens a stream; throws if the answer is not one. */
  async open(verb: string, route: string, body?: unknown, headers?: Headers): Promise<OpenStream> {
    const response = await this.request(verb, route, body, headers);
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream') || !response.body) {
      throw new Error(`${verb} ${route} gave no stream: ${response.status} ${await response.text()}`);
    }
    return openStream(response, response.body, (parsed) => parsed);
  }

  /** All frames of a stream that ends by itself. */
  async stream(verb: string, route: string, body?: unknown, headers?: Headers): Promise<RpcFrame[]> {
    return (await this.open(verb, route, body, headers)).rest();
  }

  /** Sends a text; the wire Task or Message. */
  async send(text: string, message: Wire = {}, configuration?: Wire, headers?: Headers): Promise<Wire> {
    const result = await this.call('POST', '/message:send', sendParams(text, message, configuration), headers);
    return result.task ?? result.message;
  }
}

/** The details of an error that have this type. */
export function detailsOf(error: Wire, type: 'ErrorInfo' | 'BadRequest'): Wire[] {
  return error.details.filter((detail: Wire) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`);
}

/** The `reason` of an error. */
export function reasonOf(error: Wire): string | undefined {
  return detailsOf(error, 'ErrorInfo')[0]?.reason;
}

/** The fields that an error names, sorted. */
export function fieldsOf(error: Wire): string[] {
  const violations: { field: string }[] = detailsOf(error, 'BadRequest').flatMap((detail) => detail.fieldViolations);
  return violations.map(({ field }) => field).sort();
}

/** A server without a socket, closed when the test ends. */
export function startRest(
  agents: Agent | readonly Agent[],
  options: Partial<A2AServerOptions> = {},
): ReturnType<typeof startServer> & { readonly rest: RestPeer } {
  const started = startServer(agents, options);
  return { ...started, rest: new RestPeer(started.server.fetch) };
}
