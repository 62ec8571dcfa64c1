import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type ClientCertificate, type ExchangeRequest, type Peer, Unread } from '../../bindings/exchange.ts';
import type { A2AError } from '../../model/errors/errors.ts';
import type { ServerCore } from '../../server/core/core.ts';
import { type HeldBody, SMALL_BODY } from '../../server/http/held/held-bodies.ts';
import { isLargeBody, knownBody, readBytes } from '../body/node-body.ts';
import { headerFault } from '../head/node-headers.ts';
import { isLocalConnection } from '../local-peer.ts';
import { certificateOf } from './client-certificate.ts';
import { giveUp, writeResponse } from './node-response.ts';

/** The server that a listener hands its requests to. */
export type ListenedCore = Pick<ServerCore, 'limits' | 'log' | 'bodies' | 'handle'>;

/** A request of Node as a framework hands it on. */
interface NodeCall {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Path and query, below the prefix. */
  readonly url: string;
  readonly prefix?: string | undefined;
  /** See `BodySource`. */
  readonly payload?: Readable | undefined;
  /** See `BodySource`. */
  readonly parsed?: unknown;
  /** The client waits to be asked for the body (RFC 9110 §10.1.1). */
  readonly expectsContinue?: boolean | undefined;
  /** See `Peer`. */
  readonly isOwnLoopback?: boolean | undefined;
}

/** A request of Node as an exchange. A listener is added to its connection only where one is asked for. */
class NodeExchange implements ExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly prefix: string | undefined;
  readonly headers: ExchangeRequest['headers'];
  body: unknown;
  readonly peer: Peer;
  readonly takesPieces = true;
  readonly #core: ListenedCore;
  readonly #call: NodeCall;
  #held: HeldBody | undefined;
  #isRead = false;

  constructor(core: ListenedCore, call: NodeCall) {
    const { incoming, url, prefix } = call;
    this.method = incoming.method ?? 'GET';
    this.url = url;
    this.prefix = prefix;
    this.headers = incoming.headers;
    this.peer = new SocketPeer(incoming, call.isOwnLoopback);
    this.#core = core;
    this.#call = call;
  }

  get fault(): A2AError | undefined {
    const { incoming, isOwnLoopback } = this.#call;
    // Only a listener of this package knows, and has Node look for nothing.
    return headerFault(incoming, this.#core.limits.headers, isOwnLoopback !== undefined);
  }

  get isBodyLarge(): boolean {
    return isLargeBody(this.#call.incoming);
  }

  /** A large body is still on its way, or will be. */
  get isBodyLeft(): boolean {
    if (this.#call.incoming.complete) return false;
    return this.#isRead ? this.body instanceof Unread : this.isBodyLarge;
  }

  readBody(most: number | undefined): Promise<void> | undefined {
    const { expectsContinue, outgoing } = this.#call;
    const { bodies } = this.#core;
    // A client that asks first is not invited to send what would be refused.
    if (expectsContinue && most === undefined) return undefined;
    this.#isRead = true;
    const known = knownBody(this.#call, most ?? SMALL_BODY);
    if (known) {
      this.body = known.body;
      return undefined;
    }
    if (expectsContinue) outgoing.writeContinue();
    return new Promise((resolve) => {
      this.#held = readBytes(this.#call, bodies, most, (body) => {
        this.body = body;
        resolve();
      });
    });
  }

  releaseBody(summary?: unknown): void {
    if (!(this.body instanceof Unread)) this.body = summary;
    this.#held?.release();
    this.#held = undefined;
  }

  onAbort(listener: () => void): () => void {
    const { outgoing } = this.#call;
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

  readonly isOwnLoopback: boolean | undefined;

  constructor({ socket, httpVersion }: IncomingMessage, isOwnLoopback: boolean | undefined) {
    this.isOwnLoopback = isOwnLoopback;
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
  const { incoming, outgoing } = call;
  const { log } = core;
  const { stallTimeout, bodyBytes } = core.limits;
  const exchange = new NodeExchange(core, call);
  try {
    const response = await core.handle(exchange);
    const left = exchange.isBodyLeft ? { incoming, most: bodyBytes } : undefined;
    writeResponse(outgoing, response, { method: incoming.method, stallTimeout, log, left });
  } catch (error) {
    giveUp(outgoing, log, error);
  } finally {
    exchange.releaseBody();
  }
}

/** A request that is sent to a proxy names scheme and host first (RFC 9112 §3.2.2). */
export function targetOf(url: string | undefined): string {
  const target = url ?? '/';
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}
