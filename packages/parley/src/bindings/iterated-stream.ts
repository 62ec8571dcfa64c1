import { callAlone } from '../model/basics/promises.ts';
import type { ResponseStream } from './exchange.ts';

/** A body from an async iterable, such as an async generator. It is asked for a piece once the last one was read. */
export class IteratedStream implements ResponseStream {
  onClose: (() => void) | undefined;
  isComplete: boolean | undefined;
  isBroken: boolean | undefined;
  readonly #iterator: AsyncIterator<string | Uint8Array>;
  readonly #onFailure: (error: unknown) => void;
  #piece: string | Uint8Array = '';
  #isAsked = false;
  #wake: (() => void) | undefined;

  /** `onFailure` hears of what the iterable throws; its reader sees a body that breaks off. */
  constructor(body: AsyncIterable<string | Uint8Array>, onFailure: (error: unknown) => void) {
    this.#iterator = body[Symbol.asyncIterator]();
    this.#onFailure = onFailure;
  }

  read(): string | Uint8Array | undefined {
    const piece = this.#piece;
    this.#piece = '';
    if (piece.length > 0) return piece;
    if (this.isComplete !== undefined) return undefined;
    this.#ask();
    return '';
  }

  whenReadable(callback: () => void): void {
    if (this.#piece.length > 0 || this.isComplete !== undefined) {
      callback();
      return;
    }
    this.#wake = callback;
    this.#ask();
  }

  close(): void {
    if (this.isComplete !== undefined) return;
    this.isComplete = false;
    this.#piece = '';
    callAlone(() => this.#iterator.return?.(), this.#onFailure);
    this.onClose?.();
    this.#readable();
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    void this.#next().then(() => {
      this.#isAsked = false;
      this.#readable();
    });
  }

  async #next(): Promise<void> {
    try {
      const { done, value } = await this.#iterator.next();
      if (this.isComplete !== undefined) return;
      if (done) this.isComplete = true;
      else if (typeof value === 'string' || value instanceof Uint8Array) this.#piece = value;
      else throw new TypeError(`A body must yield texts or bytes, not a ${typeof value}`);
    } catch (error) {
      if (this.isComplete === undefined) this.#fail();
      this.#onFailure(error);
    }
  }

  #fail(): void {
    this.isBroken = true;
    this.close();
  }

  #readable(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
