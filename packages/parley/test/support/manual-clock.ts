import type { Clock } from '../../src/engine/ports.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. Turns of the event loop are real. */
export class ManualClock implements Clock {
  #now = Date.UTC(2030, 0, 1);
  readonly #timers = new Set<Timer>();

  now = (): number => this.#now;

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  nextTurn(callback: () => void): void {
    setImmediate(callback);
  }

  /** Moves the time; timers fire in their order, and what they set off has settled when this resolves. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (let due = this.#next(end); due; due = this.#next(end)) {
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
      await settle();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= end && timer.at < (next?.at ?? Infinity)) next = timer;
    return next;
  }
}

/** Lets everything run that needs no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
