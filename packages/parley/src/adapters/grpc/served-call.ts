import type {
  Metadata,
  ServerInterceptingCall,
  ServerInterceptingCallInterface,
  ServerInterceptor,
} from '@grpc/grpc-js';
import { FRAME_HEAD } from '../../bindings/grpc/serving/frames.ts';
import { type ClosableStream, closeInTime, type StallTimer } from './closing.ts';
import { countUnpacked } from './unpacking.ts';

/** The end of a call. */
interface CallStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata | null;
}

/** Is told of one message, or of undefined where the client sends none; and of the bytes as they arrive, before the message is complete. */
export interface MessageReader {
  readonly message: (message: Buffer | undefined) => void;
  readonly bytes: (chunk: Uint8Array) => void;
  /** Counts further bytes unpacked of a compressed message; false gives it up. */
  readonly unpacked: (added: number) => boolean;
  /** The message is longer than the library takes, as it is or once it is decompressed. */
  readonly tooLarge: () => void;
  /** The client has left before its message was there. */
  readonly gone: () => void;
}

/** The stream of HTTP/2 beneath a call. It is no part of gRPC's interface: a call does without where it is not found. */
interface RawStream extends ClosableStream {
  readonly writableEnded: boolean;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  write(bytes: Uint8Array): boolean;
}

type StatusDraft = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];

/** The library's method as a value, which may be put aside and called by its call again. */
interface StatusSender {
  sendStatus: (this: ServerInterceptingCallInterface, status: StatusDraft) => void;
}

const OK: CallStatus = { code: 0, details: 'OK', metadata: null };
const RESOURCE_EXHAUSTED = 8;
const NEVER: StallTimer = () => () => {};

/**
 * One call as gRPC has received it, without the stream that grpc-js would put around it. Its message stays on the wire until it
 * is asked for, and messages that are ready together are written together.
 */
export class ServedCall {
  readonly metadata: Metadata;
  readonly #call: ServerInterceptingCallInterface;
  readonly #raw: RawStream | undefined;
  readonly #whenStalled: StallTimer;
  #isClosing = false;
  #reader: MessageReader | undefined;
  /** The library's own, while this call stands in for it. */
  #sendStatus: StatusSender['sendStatus'] | undefined;
  #cancelListeners: (() => void)[] = [];
  /** The client has left, or the call is over. */
  isCancelled = false;

  /** `whenStalled`: the time for which the stream may stay open after its end. */
  constructor(call: ServerInterceptingCallInterface, metadata: Metadata, whenStalled: StallTimer = NEVER) {
    this.#call = call;
    this.metadata = metadata;
    this.#whenStalled = whenStalled;
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

  /** Reads one message. One that is too large is the reader's to refuse: the library would do so in its own words. */
  read(reader: MessageReader): void {
    this.#reader = reader;
    const call: StatusSender = this.#call;
    this.#sendStatus = call.sendStatus;
    call.sendStatus = (status) => this.#sendUnlessTooLarge(status);
    this.#raw?.on('data', reader.bytes);
    countUnpacked(call, (added) => this.#reader?.unpacked(added) ?? false);
    this.#call.startRead();
  }

  #sendUnlessTooLarge(status: StatusDraft): void {
    if (status.code === RESOURCE_EXHAUSTED && this.#reader) this.#reader.tooLarge();
    else this.#sendStatus?.call(this.#call, status);
  }

  stopReading(): void {
    if (this.#reader) this.#raw?.off('data', this.#reader.bytes);
    this.#reader = undefined;
  }

  /** Returns a function that takes the listener away. */
  onCancel(listener: () => void): () => void {
    this.#cancelListeners.push(listener);
    return () => {
      const at = this.#cancelListeners.indexOf(listener);
      if (at >= 0) this.#cancelListeners.splice(at, 1);
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
    this.#close();
  }

  /** Writes the only message of a response, which has its head, and ends the call. It is small enough not to wait for the client. */
  endWith(frame: Buffer): void {
    if (!this.#raw) {
      this.#writeApart(frame, () => this.end());
      return;
    }
    this.#raw.write(frame);
    this.end();
  }

  /** For the interceptor. */
  received(message: Buffer | undefined): void {
    this.#reader?.message(message);
  }

  /** For the interceptor: the client has left, or the status is written. */
  cancelled(): void {
    this.isCancelled = true;
    this.#close();
    const listeners = this.#cancelListeners;
    // Node keeps streams of HTTP/2 for long after their end, and all that they lead to.
    this.#cancelListeners = [];
    for (const listener of listeners) listener();
    const reader = this.#reader;
    this.stopReading();
    reader?.gone();
  }

  #close(): void {
    if (this.#isClosing || !this.#raw) return;
    this.#isClosing = true;
    closeInTime(this.#raw, this.#whenStalled);
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
  handlers: ReadonlyMap<string, (call: ServedCall) => void>,
  whenStalled: StallTimer,
): ServerInterceptor {
  return ({ path }, call) => {
    const handle = handlers.get(path);
    // The library asks for no more than the interface, of which it only starts a call that is taken.
    return (handle ? new TakenCall(call, handle, whenStalled) : call) as ServerInterceptingCall;
  };
}

/** A call whose registered handler is never called. It is its own listener, because every object of a call costs. */
class TakenCall {
  readonly #call: ServerInterceptingCallInterface;
  readonly #handle: (call: ServedCall) => void;
  readonly #whenStalled: StallTimer;
  #served: ServedCall | undefined;

  constructor(call: ServerInterceptingCallInterface, handle: (call: ServedCall) => void, whenStalled: StallTimer) {
    this.#call = call;
    this.#handle = handle;
    this.#whenStalled = whenStalled;
  }

  start(): void {
    this.#call.start(this);
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#served = new ServedCall(this.#call, metadata, this.#whenStalled);
    this.#handle(this.#served);
  }

  onReceiveMessage(message: unknown): void {
    this.#served?.received(message as Buffer);
  }

  onReceiveHalfClose(): void {
    this.#served?.received(undefined);
  }

  onCancel(): void {
    this.#served?.cancelled();
    this.#served = undefined;
  }
}
