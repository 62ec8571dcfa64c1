import { DEFAULT_DRAIN_TIMEOUT } from '../limits.ts';
import type { Clock } from '../ports.ts';

/** Milliseconds between two looks at the runs that are left. */
const LOOK_EVERY = 10;

/** Milliseconds that followers of tasks have to finish, where runs have taken all of the time to drain. */
const LAST_MOMENT = 1000;

export interface DrainOptions {
  readonly clock: Clock;
  /** Milliseconds that runs have to finish. Default 10 s. */
  readonly timeout?: number | undefined;
  /** The tasks of this node. A run that waits for an answer is not waited for: the next process waits on. */
  readonly live: () => Iterable<{ readonly isRunning: boolean; readonly isAsking: boolean }>;
}

/** The time that an engine gives its runs to finish before it closes. */
export class Drain {
  readonly #options: DrainOptions;
  readonly #timeout: number;
  #deadline: number | undefined;
  #over: Promise<void> | undefined;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#timeout = options.timeout ?? DEFAULT_DRAIN_TIMEOUT;
  }

  /** Resolves when no run is left, or when those that are left have had their time. */
  start(): Promise<void> {
    this.#deadline ??= this.#options.clock.now() + this.#timeout;
    this.#over ??= this.#wait(this.#deadline);
    return this.#over;
  }

  /** Milliseconds that runs have left; undefined before the start. */
  get left(): number | undefined {
    return this.#deadline === undefined ? undefined : Math.max(0, this.#deadline - this.#options.clock.now());
  }

  /** Milliseconds for what follows the runs. */
  get patience(): number {
    return Math.max(this.left ?? 0, Math.min(this.#timeout, LAST_MOMENT));
  }

  async #wait(deadline: number): Promise<void> {
    const { clock } = this.#options;
    while (this.#isWorking() && clock.now() < deadline) {
      await new Promise<void>((resolve) => void clock.after(LOOK_EVERY, resolve));
    }
  }

  #isWorking(): boolean {
    for (const { isRunning, isAsking } of this.#options.live()) if (isRunning && !isAsking) return true;
    return false;
  }
}
