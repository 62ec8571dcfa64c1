import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type ClientCertificate, type ExchangeRequest, Oversized, type Peer } from '../bindings/exchange.ts';
import type { ServerCore } from '../server/http/core.ts';
import { certificateOf } from './client-certificate.ts';
import { isLocalConnection } from './local-peer.ts';
import { readBody } from './node-body.ts';
import { writeResponse } from './node-response.ts';

/** The server that a listener hands its requests to. */
export type ListenedCore = Pick<ServerCore, 'limits' | 'log' | 'handle'>;

/** A request of Node as a framework hands it on. */
export interface NodeCall {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Path and query, below the prefix. */
  readonly url: string;
  readonly prefix?: string | undefined;
  /** See `BodySource`. */
  readonly payload?: Readable | undefined;
  /** See `BodySource`. */
  readonly parsed?: unknown;
}

/** A request of Node as an exchange. A listener is added to its connection only where one is asked for. */
class NodeExchange implements ExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly prefix: string | undefined;
  readonly headers: ExchangeRequest['headers'];
  readonly body: unknown;
  readonly peer: Peer;
  readonly #outgoing: ServerResponse;

  constructor({ incoming, outgoing, url, prefix }: NodeCall, body: unknown) {
    this.method = incoming.method ?? 'GET';
    this.url = url;
    this.prefix = prefix;
    this.headers = incoming.headers;
    this.body = body;
    this.peer = new SocketPeer(incoming);
    this.#outgoing = outgoing;
  }

  onAbort(listener: () => void): () => void {
    const outgoing = this.#outgoing;
    const close = () => {
      if (!outgoing.writableEnded) listener();
    };
    if (outgoing.destroyed || outgoing.closed) close();
    else outgoing.on('close', close);
    return () => void outgoing.off('close', close);
  }
}

class SocketPeer implements Peer {
  readonly #socket: Socket;
  readonly #httpVersion: string;

  constructor({ socket, httpVersion }: IncomingMessage) {
    this.#socket = socket;
    this.#httpVersion = httpVersion;
  }

  get address(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get protocol(): 'http' | 'https' {
    // Sockets of Bun have the member without being encrypted.
    return 'encrypted' in this.#socket && this.#socket.encrypted === true ? 'https' : 'http';
  }

  get isLocal(): boolean {
    return isLocalConnection(this.#socket, this.#httpVersion);
  }

  get certificate(): ClientCertificate | undefined {
    return certificateOf(this.#socket);
  }
}

/** Responds to a request. Resolves when the response is written, or has begun if it is a stream; never rejects. */
export async function serveNode(core: ListenedCore, call: NodeCall): Promise<void> {
  const fail = (error: unknown) => {
    core.log.error('A response could not be written', { error });
    call.outgoing.destroy();
  };
  try {
    await serve(core, call, fail);
  } catch (error) {
    fail(error);
  }
}

async function serve(core: ListenedCore, call: NodeCall, fail: (error: unknown) => void): Promise<void> {
  const { incoming, outgoing } = call;
  const { bodyBytes, stallTimeout } = core.limits;
  const body = await readBody(call, bodyBytes);
  if (body === 'aborted') return;
  const response = await core.handle(new NodeExchange(call, body));
  if (body instanceof Oversized) {
    // What is left of the body is not waited for.
    outgoing.setHeader('connection', 'close');
    incoming.resume();
  }
  writeResponse(outgoing, response, { method: incoming.method, stallTimeout, fail });
}

/** A request that is sent to a proxy names scheme and host first (RFC 9112 §3.2.2). */
export function targetOf(url: string | undefined): string {
  const target = url ?? '/';
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}
