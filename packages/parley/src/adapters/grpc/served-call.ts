import type {
  Metadata,
  ServerInterceptingCall,
  ServerInterceptingCallInterface,
  ServerInterceptor,
} from '@grpc/grpc-js';
import { FRAME_HEAD } from '../../bindings/grpc/serving/frames.ts';
import type { Grpc } from './packages.ts';

/** The end of a call. */
export interface CallStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata | null;
}

/** Is told of one message, or of undefined where the client sends none; and of the bytes as they arrive, before the message is complete. */
export interface MessageReader {
  readonly message: (message: Buffer | undefined) => void;
  readonly bytes: (chunk: Uint8Array) => void;
}

/** The stream of HTTP/2 beneath a call. It is no part of gRPC's interface: a call does without where it is not found. */
interface RawStream {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
  write(bytes: Uint8Array): boolean;
}

const OK: CallStatus = { code: 0, details: 'OK', metadata: null };

/**
 * One call as gRPC has received it, without the stream that grpc-js would put around it. Its message stays on the wire until it
 * is asked for, and messages that are ready together are written together.
 */
export class ServedCall {
  readonly metadata: Metadata;
  readonly #call: ServerInterceptingCallInterface;
  readonly #raw: RawStream | undefined;
  #reader: MessageReader | undefined;
  #cancelListeners: (() => void)[] = [];
  /** The client has left, or the call is over. */
  isCancelled = false;

  constructor(call: ServerInterceptingCallInterface, metadata: Metadata) {
    this.#call = call;
    this.metadata = metadata;
    this.#raw = rawStreamOf(call);
  }

  /** Nothing that is written from now on arrives. */
  get isGone(): boolean {
    return this.isCancelled || this.#raw?.destroyed === true || this.#raw?.writableEnded === true;
  }

  get host(): string {
    return this.#call.getHost();
  }

  get peer(): string {
    return this.#call.getPeer();
  }

  get certificate() {
    return this.#call.getAuthContext().sslPeerCertificate;
  }

  /** Reads one message. */
  read(reader: MessageReader): void {
    this.#reader = reader;
    this.#raw?.on('data', reader.bytes);
    this.#call.startRead();
  }

  stopReading(): void {
    if (this.#reader) this.#raw?.off('data', this.#reader.bytes);
    this.#reader = undefined;
  }

  /** Returns a function that takes the listener away. */
  onCancel(listener: () => void): () => void {
    this.#cancelListeners.push(listener);
    return () => {
      this.#cancelListeners = this.#cancelListeners.filter((other) => other !== listener);
    };
  }

  sendMetadata(metadata: Metadata): void {
    this.#call.sendMetadata(metadata);
  }

  /** Writes messages that have their heads; false where the client must read first: `whenFree` is called then. */
  write(frames: Buffer, whenFree: () => void): boolean {
    if (!this.#raw) return this.#writeApart(frames, whenFree);
    if (this.#raw.write(frames)) return true;
    this.#raw.once('drain', whenFree);
    return false;
  }

  end(status: CallStatus = OK): void {
    this.#call.sendStatus(status);
  }

  /** For the interceptor. */
  received(message: Buffer | undefined): void {
    this.#reader?.message(message);
  }

  /** For the interceptor. */
  cancelled(): void {
    this.isCancelled = true;
    const listeners = this.#cancelListeners;
    // Node keeps streams of HTTP/2 for long after their end, and all that they lead to.
    this.#cancelListeners = [];
    for (const listener of listeners) listener();
    this.stopReading();
  }

  /** One message after the other, by the interface of gRPC. */
  #writeApart(frames: Buffer, whenFree: () => void): false {
    let at = 0;
    const next = (): void => {
      if (at >= frames.length) {
        whenFree();
        return;
      }
      const start = at + FRAME_HEAD;
      at = start + frames.readUInt32BE(at + 1);
      this.#call.sendMessage(frames.subarray(start, at), next);
    };
    next();
    return false;
  }
}

function rawStreamOf(call: object): RawStream | undefined {
  const { stream } = call as { readonly stream?: Partial<RawStream> };
  const isUsable = typeof stream?.on === 'function' && typeof stream.off === 'function';
  return isUsable && typeof stream.write === 'function' ? (stream as RawStream) : undefined;
}

/** Hands calls of these paths to their handlers as they are received; others go on to what the server has registered. */
export function interceptCalls(
  { ServerInterceptingCall: Intercepting }: Grpc,
  handlers: ReadonlyMap<string, (call: ServedCall) => void>,
): ServerInterceptor {
  /** A call whose registered handler is never called. */
  class TakenCall extends Intercepting {
    readonly #call: ServerInterceptingCallInterface;
    readonly #handle: (call: ServedCall) => void;

    constructor(call: ServerInterceptingCallInterface, handle: (call: ServedCall) => void) {
      super(call);
      this.#call = call;
      this.#handle = handle;
    }

    override start(): void {
      startCall(this.#call, this.#handle);
    }
  }
  return ({ path }, call) => {
    const handle = handlers.get(path);
    // The library asks for no more than the interface, which the call has itself.
    return handle ? new TakenCall(call, handle) : (call as ServerInterceptingCall);
  };
}

function startCall(call: ServerInterceptingCallInterface, handle: (call: ServedCall) => void): void {
  let served: ServedCall | undefined;
  call.start({
    onReceiveMetadata: (metadata) => {
      served = new ServedCall(call, metadata);
      handle(served);
    },
    onReceiveMessage: (message) => served?.received(message as Buffer),
    onReceiveHalfClose: () => served?.received(undefined),
    onCancel: () => {
      served?.cancelled();
      served = undefined;
    },
  });
}
