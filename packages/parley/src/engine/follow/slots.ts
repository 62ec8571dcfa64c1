import type { Awaitable } from '../ports.ts';

/** Bounds how many pieces of work are under way at the same time; the others wait in their order. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot and returns true; where none is free, returns false and calls back with one taken. */
  take(granted: () => void): boolean {
    if (this.#free === 0) {
      this.#waiting.add(granted);
      return false;
    }
    this.#free -= 1;
    return true;
  }

  /** Gives up a wait that `take` began. */
  forget(granted: () => void): void {
    this.#waiting.delete(granted);
  }

  /** Returns a slot. */
  give(): void {
    for (const granted of this.#waiting) {
      this.#waiting.delete(granted);
      granted();
      return;
    }
    this.#free += 1;
  }

  /** Does some work that handles its own errors, as soon as a slot is free. */
  run(work: () => Awaitable<void>): void {
    const begin = () => {
      const done = work();
      if (done instanceof Promise) void done.finally(() => this.give());
      else this.give();
    };
    if (this.take(begin)) begin();
  }
}
