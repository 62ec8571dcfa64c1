import type { ResponseStream } from '../../bindings/exchange.ts';

/** The largest piece that is handed to a connection at once. */
const PIECE = 64 * 1024;

/** Bytes that are there from the start, written as fast as the client reads. */
export class BytesBody implements ResponseStream {
  readonly #bytes: Uint8Array;
  #position = 0;
  #isClosed = false;
  onClose: (() => void) | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): Uint8Array | undefined {
    if (this.#isClosed || this.#position >= this.#bytes.length) return undefined;
    const piece = this.#bytes.subarray(this.#position, this.#position + PIECE);
    this.#position += piece.length;
    return piece;
  }

  whenReadable(callback: () => void): void {
    callback();
  }

  get isComplete(): boolean {
    return this.#position >= this.#bytes.length;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onClose?.();
  }
}
