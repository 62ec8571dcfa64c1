import type { Awaitable, Clock } from '../ports.ts';
import { delayAfter, type RetryPolicy } from './retry.ts';
import type { Slots } from './slots.ts';

export interface CursorOptions {
  readonly clock: Clock;
  /** The last place that has been dealt with. Default 0. */
  readonly position?: number | undefined;
  /**
   * Deals with what comes after the position and returns how far it has come, which must be further. `goal` is the last
   * place that is known to exist. Steps follow each other; one that fails is repeated.
   */
  readonly step: (position: number, goal: number) => Awaitable<number>;
  readonly retry: RetryPolicy;
  /** `failures`: how often the step has failed in a row. */
  readonly onFailure: (error: unknown, failures: number) => void;
  /** Milliseconds between two steps. Default 0. */
  readonly pause?: number | undefined;
  /** Shared with other cursors, to bound how many steps are under way. */
  readonly slots?: Slots | undefined;
  /** Called when the goal is reached and the pause is over. */
  readonly onIdle?: (() => void) | undefined;
}

interface Waiter {
  readonly goal: number;
  readonly resolve: () => void;
}

/**
 * A position that moves towards a goal, step by step, and the one mechanism by which anything follows commits. Wake-ups
 * are coalesced: however many there are, one step is under way, and the next deals with all that came meanwhile. Steps
 * that return at once cost no promise.
 */
export class Cursor {
  readonly #options: CursorOptions;
  #position: number;
  #goal: number;
  #failures = 0;
  /** A step is under way, or waits for a slot. */
  #isBusy = false;
  /** Ends the wait for the next step. */
  #stopWaiting: (() => void) | undefined;
  #isFinishing = false;
  #isClosed = false;
  #waiters: Waiter[] = [];

  constructor(options: CursorOptions) {
    this.#options = options;
    this.#position = options.position ?? 0;
    this.#goal = this.#position;
  }

  get position(): number {
    return this.#position;
  }

  /** There is something to deal with up to this place. */
  wake(goal: number): void {
    if (goal > this.#goal) this.#goal = goal;
    this.#go();
  }

  /** Ends a pause between two steps. After a failure the delay remains. */
  hurry(): void {
    if (this.#failures > 0) return;
    this.#endWait();
    this.#go();
  }

  /** Resolves when the position has reached what is the goal by now, or a step has failed. */
  async settled(): Promise<void> {
    this.hurry();
    if (this.#isSettled(this.#goal)) return;
    await new Promise<void>((resolve) => this.#waiters.push({ goal: this.#goal, resolve }));
  }

  /** Goes to the goal without pauses, closes, and resolves. A step that fails is given up. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.#failures = 0;
    await this.settled();
    this.close();
  }

  /** Begins no further step. */
  close(): void {
    this.#isClosed = true;
    this.#options.slots?.forget(this.#begin);
    this.#endWait();
    this.#release();
  }

  #go(): void {
    if (this.#isBusy || this.#stopWaiting || this.#isClosed) return;
    if (this.#position >= this.#goal) {
      this.#options.onIdle?.();
      return;
    }
    this.#isBusy = true;
    const { slots } = this.#options;
    if (!slots || slots.take(this.#begin)) this.#begin();
  }

  readonly #begin = (): void => {
    const { step } = this.#options;
    for (;;) {
      let reached: Awaitable<number>;
      try {
        reached = step(this.#position, this.#goal);
      } catch (error) {
        this.#failed(error);
        return;
      }
      if (reached instanceof Promise) {
        reached.then(this.#moved, this.#failed);
        return;
      }
      if (!this.#hasMore(reached)) {
        this.#moved(reached);
        return;
      }
      this.#move(reached);
    }
  };

  /** Tells whether the next step may follow at once. */
  #hasMore(reached: number): boolean {
    return reached > this.#position && reached < this.#goal && !this.#isClosed && !this.#options.pause;
  }

  #move(reached: number): void {
    this.#position = reached;
    this.#goal = Math.max(this.#goal, reached);
    this.#failures = 0;
    if (this.#waiters.length > 0) this.#release();
  }

  readonly #moved = (reached: number): void => {
    if (reached <= this.#position) {
      this.#failed(new Error(`A follower stays at ${this.#position}`));
      return;
    }
    this.#move(reached);
    this.#rest(this.#options.pause);
  };

  readonly #failed = (error: unknown): void => {
    this.#failures += 1;
    if (!this.#isClosed) this.#options.onFailure(error, this.#failures);
    if (this.#isFinishing) this.#position = this.#goal;
    this.#rest(delayAfter(this.#options.retry, this.#failures));
    this.#release();
  };

  /** The step has ended; the next one follows after a while. */
  #rest(delay: number | undefined): void {
    this.#isBusy = false;
    this.#options.slots?.give();
    if (delay && !this.#isFinishing && !this.#isClosed) {
      this.#stopWaiting = this.#options.clock.after(delay, () => {
        this.#stopWaiting = undefined;
        this.#go();
      });
    } else {
      this.#go();
    }
  }

  #endWait(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  #isSettled(goal: number): boolean {
    return this.#isClosed || this.#position >= goal || (this.#failures > 0 && !this.#isBusy);
  }

  #release(): void {
    const waiting = this.#waiters;
    this.#waiters = waiting.filter(({ goal }) => !this.#isSettled(goal));
    for (const { goal, resolve } of waiting) if (this.#isSettled(goal)) resolve();
  }
}
