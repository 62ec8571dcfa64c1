import type { ServerDuplexStream } from '@grpc/grpc-js';
import { type ClientCertificate, type Peer, type RequestHeaders, Truncated, Unread } from '../../bindings/exchange.ts';
import { peekText } from '../../bindings/grpc/codec/peek.ts';
import { GRPC } from '../../bindings/grpc/name.ts';
import { grpcTarget } from '../../bindings/grpc/routing.ts';
import type { Rpc } from '../../bindings/grpc/services.ts';
import type { GrpcRequest } from '../../bindings/grpc/serving/request.ts';
import type { ServerCore } from '../../server/core/core.ts';
import { type HeldBody, tooLarge } from '../../server/http/held/held-bodies.ts';
import { isLoopbackAddress } from '../../server/routing/locality.ts';
import type { ServedCall } from './served-call.ts';

/** A call of what is not A2A: health and reflection. */
export type GrpcCall = ServerDuplexStream<Buffer, Buffer>;

/** The server that calls are handed to. */
export type GrpcCore = Pick<ServerCore, 'limits' | 'log' | 'clock' | 'bodies' | 'handle' | 'agents' | 'basePath'>;

/** The address at which the same server is reached by HTTP; undefined where it does not listen. */
export interface HttpPlace {
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

export interface GrpcSurroundings {
  readonly core: GrpcCore;
  /** No other machine reaches this port. */
  readonly isLoopback: boolean;
  readonly http: () => HttpPlace | undefined;
}

/** The metadata that name an agent which is not the default one, for versions and tools that have no other way. */
const AGENT = 'parley-agent';

/** The head of a message, which counts for its bytes. */
const HEAD = 5;

/** A call as an exchange. Its message stays on the wire until it is wanted. */
export class GrpcExchange implements GrpcRequest {
  readonly method = 'POST';
  readonly carrier = GRPC;
  readonly rpc: Rpc;
  readonly headers: RequestHeaders;
  readonly peer: Peer;
  body: unknown;
  readonly #call: ServedCall;
  readonly #surroundings: GrpcSurroundings;
  #held: HeldBody | undefined;
  #agent: string | undefined;
  /** The response is written, or will not be. */
  isOver = false;

  constructor(call: ServedCall, rpc: Rpc, surroundings: GrpcSurroundings) {
    this.rpc = rpc;
    this.#call = call;
    this.#surroundings = surroundings;
    const headers: Record<string, string | readonly string[]> = call.metadata.toHttp2Headers() as Record<
      string,
      string[]
    >;
    const http = surroundings.http();
    headers.host = hostOf(call.host, http?.port);
    this.headers = headers;
    this.peer = new CallPeer(call, surroundings.isLoopback, http?.protocol);
    const [agent] = call.metadata.get(AGENT);
    if (typeof agent === 'string' && agent !== '') this.#agent = agent;
  }

  get url(): string {
    const { basePath } = this.#surroundings.core;
    return this.#agent === undefined ? basePath || '/' : `${basePath}/agents/${encodeURIComponent(this.#agent)}`;
  }

  /** Reads the message at once where it says for which agent it is. */
  findAgent(): Promise<void> | undefined {
    const { agents, limits } = this.#surroundings.core;
    if (this.#agent !== undefined || this.rpc.version !== '1.0' || agents.size === 1) return undefined;
    return this.readBody(limits.bodyBytes)?.then(() => {
      const number = this.rpc.request.field.tenant?.number;
      if (number === undefined || !(this.body instanceof Uint8Array)) return;
      this.#agent = grpcTarget(peekText(this.body, number)).agent;
    });
  }

  /** A call that is refused anyway need not be read. */
  readBody(most: number | undefined): Promise<void> | undefined {
    if (most === undefined || this.#held) return undefined;
    return new Promise((resolve) => {
      const call = this.#call;
      const finish = (body: unknown) => {
        call.stopReading();
        this.body ??= body;
        this.#held?.arrived();
        resolve();
      };
      const held = this.#surroundings.core.bodies.begin(most, (reason) => finish(new Unread(reason)));
      this.#held = held;
      let size = 0;
      let unpacked = 0;
      call.read({
        gone: () => finish(new Truncated(undefined)),
        tooLarge: () => finish(new Unread(tooLarge(most))),
        bytes: (chunk) => {
          size += chunk.length;
          const reason = held.grow(Math.max(0, size - HEAD));
          if (reason) finish(new Unread(reason));
        },
        unpacked: (added) => {
          unpacked += added;
          const reason = held.grow(Math.max(unpacked, size - HEAD));
          if (reason) finish(new Unread(reason));
          return !reason;
        },
        message: (message) => {
          const reason = message && held.grow(message.length);
          finish(reason ? new Unread(reason) : message);
        },
      });
    });
  }

  releaseBody(): void {
    if (!(this.body instanceof Unread)) this.body = undefined;
    this.#held?.release();
  }

  onAbort(listener: () => void): () => void {
    const call = this.#call;
    const cancelled = () => {
      if (!this.isOver) listener();
    };
    if (!call.isCancelled) return call.onCancel(cancelled);
    cancelled();
    return NOTHING;
  }
}

const NOTHING = () => {};

/** The name that the client used, with the port of HTTP: cards tell addresses of that. */
function hostOf(authority: string, port: number | undefined): string {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(authority)?.[1] || 'localhost';
  return port === undefined ? name : `${name}:${port}`;
}

class CallPeer implements Peer {
  readonly #call: ServedCall;
  readonly #isLoopback: boolean;
  readonly protocol: 'http' | 'https' | undefined;

  constructor(call: ServedCall, isLoopback: boolean, protocol: 'http' | 'https' | undefined) {
    this.#call = call;
    this.#isLoopback = isLoopback;
    this.protocol = protocol;
  }

  get address(): string | undefined {
    const { peer } = this.#call;
    const end = peer.lastIndexOf(':');
    return end > 0 ? peer.slice(0, end) : undefined;
  }

  get isLocal(): boolean {
    return this.#isLoopback && isLoopbackAddress(this.address);
  }

  get certificate(): ClientCertificate | undefined {
    const { certificate } = this.#call;
    if (!certificate) return undefined;
    const { subject, issuer, subjectaltname, fingerprint256, serialNumber } = certificate;
    return { subject: { ...subject }, issuer: { ...issuer }, subjectaltname, fingerprint256, serialNumber };
  }
}
