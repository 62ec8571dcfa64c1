import type { ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { grpcError } from '../../wire/errors.ts';
import { parseJson } from '../../wire/json.ts';
import type { EventSource, StreamListener } from '../../wire/stream/event-source.ts';
import { type Procedure, responseJson } from './messages.ts';
import { type EndStatus, headOf, incomingOf } from './status.ts';

/** The messages of a stream over gRPC, as events. Nothing is read before the first listener. */
export class GrpcSource implements EventSource {
  readonly #stream: ClientReadableStream<Buffer>;
  readonly #procedure: Procedure | undefined;
  /** The metadata that the response began with. */
  received: Metadata | undefined;
  #ended: EndStatus | undefined;
  #listener: StreamListener | undefined;
  #onEnd: ((status: EndStatus, isEmpty: boolean) => void) | undefined;

  constructor(stream: ClientReadableStream<Buffer>, procedure: Procedure | undefined) {
    this.#stream = stream;
    this.#procedure = procedure;
    stream.once('metadata', (metadata) => {
      this.received = metadata;
    });
    // Told by the status as well.
    stream.on('error', () => {});
    stream.once('status', (status) => {
      this.#ended = status;
      this.#onEnd?.(status, stream.readableLength === 0 && this.#listener === undefined);
      this.#tellEnd();
    });
  }

  /** Is told the status that ends the call, and whether nobody has got a message of it. */
  onEnd(listener: (status: EndStatus, isEmpty: boolean) => void): void {
    this.#onEnd = listener;
  }

  head() {
    return headOf(this.#ended?.code ?? 0, this.received, this.#ended?.metadata);
  }

  listen(listener: StreamListener): void {
    this.#listener = listener;
    this.#stream.on('data', (bytes: Buffer) => this.#take(bytes, listener));
    this.#tellEnd();
  }

  destroy(): void {
    this.#stream.cancel();
  }

  #take(bytes: Buffer, listener: StreamListener): void {
    const text = this.#jsonOf(bytes);
    listener.frame({ lines: [text], data: text, json: parseJson(text) });
    listener.took(`${text}\n`, bytes.length);
  }

  #jsonOf(bytes: Buffer): string {
    try {
      return JSON.stringify(responseJson(this.#procedure, bytes));
    } catch (error) {
      return `the message cannot be read: ${(error as Error).message}`;
    }
  }

  #tellEnd(): void {
    const status = this.#ended;
    const listener = this.#listener;
    if (!status || !listener) return;
    // Messages that came before the end are still to be taken.
    if (this.#stream.readableLength > 0) {
      this.#stream.once('end', () => this.#tellEnd());
      return;
    }
    if (status.code === 0) {
      listener.end('ended');
      return;
    }
    const { text, status: http } = incomingOf(status, undefined);
    listener.end('ended', grpcError(parseJson(text), status.code, http));
  }
}
