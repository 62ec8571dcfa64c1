import type { Clock } from '../../../engine/ports.ts';
import { anything, members, requireRight } from '../../../model/options/checks.ts';

/** The load that a server takes on. Beyond it, the server refuses the newest requests. */
export interface LoadLimit {
  /** Longest time that a new request may wait for the event loop, in milliseconds. Default: any. */
  readonly delay?: number | undefined;
  /** Requests that the server handles at the same time, not counting streams that have begun. Default: any. */
  readonly requests?: number | undefined;
}

const check = members<LoadLimit>({ delay: anything, requests: anything });

/** Turns of the loop that follow each other within so many milliseconds have no rest between them. */
const NO_REST = 1;

/**
 * Tells whether a request that arrives comes too late to be worth beginning. A request that is found in a turn of the loop may
 * have waited in its socket since the turn before began, if the loop had no rest in between: so long is its delay at most. While
 * the delay is beyond the limit, requests are refused at their arrival, which costs little, so that the loop is soon on time
 * again; work that was begun goes on. Without requests the gauge does nothing.
 */
export class LoadGauge {
  readonly #clock: Clock;
  readonly #mostDelay: number;
  readonly #mostRequests: number;
  #requests = 0;
  #isInTurn = false;
  #turnBegan = 0;
  #turnEnded = Number.NEGATIVE_INFINITY;
  /** The earliest time at which a request of this turn may have arrived. */
  #waitsSince = 0;

  /** Throws a TypeError for a value that is no limit. */
  constructor(limit: LoadLimit, clock: Clock) {
    requireRight('', check(limit, 'limits.load'));
    const { delay = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = limit;
    for (const [name, value] of Object.entries({ delay, requests })) {
      if (typeof value === 'number' && value > 0) continue;
      throw new TypeError(`limits.load.${name} must be a number above 0, not ${String(value)}`);
    }
    this.#clock = clock;
    this.#mostDelay = delay;
    this.#mostRequests = requests;
  }

  /** The number of requests at work. */
  get requests(): number {
    return this.#requests;
  }

  /** Returns false for a request that is to be refused. The others are at work until they `leave`. */
  enter(): boolean {
    if (this.#delay() > this.#mostDelay || this.#requests >= this.#mostRequests) return false;
    this.#requests += 1;
    return true;
  }

  leave(): void {
    this.#requests -= 1;
  }

  #delay(): number {
    if (this.#mostDelay === Number.POSITIVE_INFINITY) return 0;
    const now = this.#clock.now();
    if (!this.#isInTurn) this.#beginTurn(now);
    return now - this.#waitsSince;
  }

  #beginTurn(now: number): void {
    this.#waitsSince = now - this.#turnEnded <= NO_REST ? this.#turnBegan : now;
    this.#turnBegan = now;
    this.#isInTurn = true;
    this.#clock.nextTurn(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#isInTurn = false;
    this.#turnEnded = this.#clock.now();
  };
}
