import { A2AServer, type A2AServerOptions, type Agent } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import { carrier } from './http/carrier.ts';
import { readSse } from './sse.ts';

/** A JSON value from the wire; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what a peer sent is what a test is about to check
export type Wire = any;

export interface RpcFrame {
  /** The `id:` of the frame. */
  readonly id: number | undefined;
  /** The `event:` of the frame. */
  readonly event?: string | undefined;
  /** The JSON-RPC response in it. */
  readonly response: Wire;
  /** Its `result`. */
  readonly result: Wire;
}

export interface OpenStream {
  readonly response: Response;
  readonly comments: string[];
  /** The next frame; undefined when the stream has ended. */
  next(): Promise<RpcFrame | undefined>;
  /** All frames until the stream ends. */
  rest(): Promise<RpcFrame[]>;
  /** Frames up to and including the first that fits. */
  until(fits: (frame: RpcFrame) => boolean): Promise<RpcFrame[]>;
  /** Goes away without reading on. */
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

/** Talks A2A 1.0 over JSON-RPC to a server, with or without a socket. */
export class RpcPeer {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #url: string;
  #id = 0;

  constructor(fetch: (request: Request) => Promise<Response>, url = 'http://localhost/a2a') {
    this.#fetch = fetch;
    this.#url = url;
  }

  /** The same server under another path or with a query. */
  at(path: string): RpcPeer {
    return new RpcPeer(this.#fetch, new URL(path, this.#url).href);
  }

  /** A request as it stands. */
  raw(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#fetch(new Request(new URL(path, this.#url), init));
  }

  /** POSTs a body as it stands, with the JSON content type unless another is given. */
  post(body: string, headers: Headers = {}): Promise<Response> {
    return this.#fetch(
      new Request(this.#url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }),
    );
  }

  request(method: string, params?: unknown, headers: Headers = {}): Promise<Response> {
    this.#id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params });
    return this.post(body, { 'a2a-version': '1.0', ...headers });
  }

  /** The whole JSON-RPC response of a unary call. */
  async respond(method: string, params?: unknown, headers?: Headers): Promise<Wire> {
    return (await this.request(method, params, headers)).json();
  }

  /** The `result` of a unary call; throws on an error. */
  async call(method: string, params?: unknown, headers?: Headers): Promise<Wire> {
    const response = await this.respond(method, params, headers);
    if (response.error) throw new Error(`${method}: ${JSON.stringify(response.error)}`);
    return response.result;
  }

  /** The `error` of a call; throws if it succeeds. */
  async error(method: string, params?: unknown, headers?: Headers): Promise<Wire> {
    const response = await this.respond(method, params, headers);
    if (!response.error) throw new Error(`${method} succeeded: ${JSON.stringify(response.result)}`);
    return response.error;
  }

  /** Opens a stream; throws if the answer is not one. */
  async open(method: string, params?: unknown, headers?: Headers): Promise<OpenStream> {
    const response = await this.request(method, params, headers);
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream') || !response.body) {
      throw new Error(`${method} gave no stream: ${await response.text()}`);
    }
    return openStream(response, response.body);
  }

  /** All frames of a stream that ends by itself. */
  async stream(method: string, params?: unknown, headers?: Headers): Promise<RpcFrame[]> {
    return (await this.open(method, params, headers)).rest();
  }

  /** SendMessage with a text; the wire Task or Message. */
  async send(text: string, message: Wire = {}, configuration?: Wire, headers?: Headers): Promise<Wire> {
    const result = await this.call('SendMessage', sendParams(text, message, configuration), headers);
    return result.task ?? result.message;
  }
}

export function sendParams(text: string, message: Wire = {}, configuration?: Wire): Wire {
  return {
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...message },
    ...(configuration === undefined ? {} : { configuration }),
  };
}

/** A stream frame by frame; `resultOf` takes what counts out of a frame's data. */
export function openStream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  resultOf: (parsed: Wire) => Wire = (parsed) => parsed.result,
): OpenStream {
  const comments: string[] = [];
  const events = readSse(body, (comment) => comments.push(comment));
  const next = async (): Promise<RpcFrame | undefined> => {
    const step = await events.next();
    if (step.done) return undefined;
    const parsed = JSON.parse(step.value.data);
    return {
      id: step.value.id === undefined ? undefined : Number(step.value.id),
      event: step.value.event,
      response: parsed,
      result: resultOf(parsed),
    };
  };
  const until = async (fits: (frame: RpcFrame) => boolean): Promise<RpcFrame[]> => {
    const frames: RpcFrame[] = [];
    for (let frame = await next(); frame; frame = await next()) {
      frames.push(frame);
      if (fits(frame)) break;
    }
    return frames;
  };
  return {
    response,
    comments,
    next,
    until,
    rest: () => until(() => false),
    close: async () => void (await events.return()),
  };
}

/**
 * A server without a socket, closed when the test ends, and a peer of it: over HTTP, or by the carrier of the test run. Errors of
 * agents are not printed.
 */
export function startServer(
  agents: Agent | readonly Agent[],
  options: Partial<A2AServerOptions> = {},
): { readonly server: A2AServer; readonly peer: RpcPeer; readonly logged: Wire[] } {
  const logged: Wire[] = [];
  const record = (message: string, details: unknown) => void logged.push({ message, details });
  const server = new A2AServer({
    agents: Array.isArray(agents) ? agents : [agents as Agent],
    anonymous: 'shared',
    log: { error: record, warn: record },
    // Runs that a test leaves behind must not hold up its end.
    drainTimeout: 0,
    ...carrier()?.options,
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, peer: new RpcPeer(carrier()?.fetchOf(server) ?? server.fetch), logged };
}
