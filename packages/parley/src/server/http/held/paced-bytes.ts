import type { ResponseStream } from '../../../bindings/exchange.ts';

/** One piece of a long response. */
const PIECE_BYTES = 64 * 1024;

/** A long message as a stream of pieces: no more of it is in the buffers of a connection than its reader is about to take. */
export class PacedBytes implements ResponseStream {
  onClose: (() => void) | undefined;
  readonly size: number;
  /** When a piece was taken last. */
  readAt: number;
  readonly #inner: ResponseStream;
  readonly #now: () => number;
  #end: (() => void) | undefined;
  #bytes: Uint8Array | undefined;
  #at = 0;
  #isCut = false;

  /** `end` is called once, when the message was read or given up. */
  constructor(inner: ResponseStream, size: number, now: () => number, end: () => void) {
    this.#inner = inner;
    this.size = size;
    this.#now = now;
    this.#end = end;
    this.readAt = now();
    const bytes = inner.read();
    this.#bytes = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  }

  get isComplete(): boolean | undefined {
    return this.#isCut ? false : this.#inner.isComplete;
  }

  read(): Uint8Array | undefined {
    const bytes = this.#bytes;
    if (!bytes || this.#at >= bytes.length) {
      if (!this.#isCut) this.#inner.read();
      this.#over();
      return undefined;
    }
    this.readAt = this.#now();
    const piece = bytes.subarray(this.#at, this.#at + PIECE_BYTES);
    this.#at += piece.length;
    return piece;
  }

  /** There is always something to read. */
  whenReadable(callback: () => void): void {
    callback();
  }

  close(): void {
    this.#isCut = this.#bytes !== undefined && this.#at < this.#bytes.length;
    if (!this.#over()) return;
    this.#inner.close();
    this.onClose?.();
  }

  #over(): boolean {
    const end = this.#end;
    this.#end = undefined;
    this.#bytes = undefined;
    end?.();
    return end !== undefined;
  }
}
