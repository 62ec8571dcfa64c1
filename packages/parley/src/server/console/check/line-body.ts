import type { ResponseStream } from '../../../bindings/exchange.ts';

/** Characters that may wait for the reader before the writer does. */
const MOST_WAITING = 256 * 1024;

/** Lines of JSON that are written while something goes on, as fast as the client reads. */
export class LineBody implements ResponseStream {
  #text = '';
  #isOver = false;
  #isClosed = false;
  #reader: (() => void) | undefined;
  #writer: (() => void) | undefined;
  onClose: (() => void) | undefined;
  /** Called once when the client is gone, or the rest is not wanted. */
  onLeft: (() => void) | undefined;

  /** Resolves when there is room for the next one. */
  write(line: object): Promise<void> | undefined {
    if (this.#isClosed || this.#isOver) return undefined;
    this.#text += `${JSON.stringify(line)}\n`;
    this.#wakeReader();
    if (this.#text.length <= MOST_WAITING) return undefined;
    return new Promise((resolve) => {
      this.#writer = resolve;
    });
  }

  end(): void {
    this.#isOver = true;
    this.#wakeReader();
  }

  read(): string | undefined {
    const text = this.#text;
    this.#text = '';
    this.#wakeWriter();
    if (text === '' && (this.#isOver || this.#isClosed)) return undefined;
    return text;
  }

  whenReadable(callback: () => void): void {
    if (this.#text !== '' || this.#isOver || this.#isClosed) callback();
    else this.#reader = callback;
  }

  get isComplete(): boolean {
    return this.#isOver && this.#text === '';
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#text = '';
    this.#wakeReader();
    this.#wakeWriter();
    this.onLeft?.();
    this.onClose?.();
  }

  #wakeReader(): void {
    const callback = this.#reader;
    this.#reader = undefined;
    callback?.();
  }

  #wakeWriter(): void {
    const callback = this.#writer;
    this.#writer = undefined;
    callback?.();
  }
}
