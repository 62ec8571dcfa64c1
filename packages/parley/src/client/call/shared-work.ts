import { abortable, linked } from './signals.ts';

/** Work that several wait for, each as long as it likes; when the last one has left it is given up. */
export class SharedWork {
  readonly #own = linked();
  readonly #work: Promise<void>;
  #waiting = 0;
  #isOver = false;

  constructor(work: (signal: AbortSignal) => Promise<void>) {
    this.#work = work(this.#own.signal).finally(() => {
      this.#isOver = true;
    });
    // Those who wait are told.
    this.#work.catch(() => {});
  }

  /** The work has ended or was given up: a caller that comes now begins new work. */
  get isOver(): boolean {
    return this.#isOver;
  }

  async join(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      await abortable(this.#work, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isOver) {
        this.#isOver = true;
        this.#own.abort(signal.reason);
      }
    }
  }
}
