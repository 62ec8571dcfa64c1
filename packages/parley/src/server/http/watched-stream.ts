import type { ResponseStream } from '../../bindings/exchange.ts';
import type { CallEnd } from '../../model/call.ts';

/** A stream that tells of its end, once. */
export class WatchedStream implements ResponseStream {
  readonly #inner: ResponseStream;
  #end: ((end: CallEnd) => void) | undefined;
  onClose: (() => void) | undefined;

  constructor(inner: ResponseStream, end: (end: CallEnd) => void) {
    this.#inner = inner;
    this.#end = end;
    inner.onClose = () => {
      this.#over(this.isComplete === true);
      this.onClose?.();
    };
  }

  get isComplete(): boolean | undefined {
    return this.#inner.isComplete;
  }

  get whole(): string | undefined {
    return this.#inner.whole;
  }

  get isBroken(): boolean | undefined {
    return this.#inner.isBroken;
  }

  get size(): number | undefined {
    return this.#inner.size;
  }

  read(): string | Uint8Array | undefined {
    const text = this.#inner.read();
    if (text === undefined) this.#over(this.isComplete !== false);
    return text;
  }

  whenReadable(callback: () => void): void {
    this.#inner.whenReadable(callback);
  }

  close(): void {
    this.#inner.close();
    this.#over(this.isComplete === true);
  }

  #over(isComplete: boolean): void {
    const end = this.#end;
    this.#end = undefined;
    end?.({ isComplete });
  }
}
