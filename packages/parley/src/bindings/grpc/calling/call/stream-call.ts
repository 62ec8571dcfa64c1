import type { ClientReadableStream, Metadata } from '@grpc/grpc-js';
import type { FailedStatus } from '../status.ts';
import type { Carried } from './carried.ts';
import { fillMetadata } from './metadata.ts';
import { asBytes, type OutgoingGrpc, shownResponse } from './unary-call.ts';

/** Servers begin their answer before they refuse a call; a refusal is waited for this long if nothing else comes. */
const GRACE_MS = 100;

/**
 * A call whose response is a stream of messages. They are taken one by one: what is not taken is not read from the connection,
 * beyond the few that gRPC has ready.
 */
export class StreamCall implements Carried {
  readonly #call: OutgoingGrpc;
  #stream: ClientReadableStream<Uint8Array> | undefined;
  #wake: (() => void) | undefined;
  #isOver = false;
  failure: FailedStatus | undefined;
  head: Metadata | undefined;

  constructor(call: OutgoingGrpc) {
    this.#call = call;
  }

  /** Resolves when the server has begun to answer, or has refused to. */
  begin(headers: Headers): Promise<Response> {
    const { grpc, channel, path, request, signal } = this.#call;
    this.#release();
    this.#isOver = false;
    this.failure = undefined;
    const metadata = fillMetadata(new grpc.Metadata(), headers);
    const stream = channel.makeServerStreamRequest(path, asBytes, asBytes, request, metadata);
    this.#stream = stream;
    signal?.addEventListener('abort', this.cancel, { once: true });
    return new Promise((resolve) => {
      let grace: ReturnType<typeof setTimeout> | undefined;
      const begun = () => {
        clearTimeout(grace);
        resolve(shownResponse(this.failure, this.head));
      };
      const notice = () => {
        this.#wake?.();
        begun();
      };
      stream.once('metadata', (head) => {
        this.head = head;
        grace = setTimeout(begun, GRACE_MS);
      });
      // The end is told here too, before it is known how the call ended.
      stream.on('readable', () => stream.readableLength > 0 && notice());
      // Told by the status as well, which comes after all messages.
      stream.on('error', () => {});
      stream.once('status', (status) => {
        if (this.#stream !== stream) return;
        if (!this.#isOver && status.code !== 0) this.failure = status;
        this.#finish();
        notice();
      });
      if (signal?.aborted) this.cancel();
    });
  }

  /** The next message; undefined where the stream is over: `failure` tells how. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const message = this.#stream?.read() as Uint8Array | null | undefined;
      if (message) return message;
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  readonly cancel = (): void => {
    this.#stream?.cancel();
    this.#wake?.();
  };

  /** Leaves the stream at once; a reader that waits for a message is told that the stream has ended. */
  leave(): void {
    this.#finish();
    this.cancel();
  }

  #finish(): void {
    this.#isOver = true;
    this.#release();
  }

  #release(): void {
    this.#call.signal?.removeEventListener('abort', this.cancel);
  }
}
