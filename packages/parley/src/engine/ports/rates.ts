import type { Awaitable } from './awaitable.ts';

/** The count of a key, by all nodes together. */
export interface RateCount {
  /** With what was just added. */
  readonly total: number;
  /** Milliseconds until the window ends and counting restarts. */
  readonly left: number;
}

/** Counts of requests that nodes share. They need not outlive a crash of the store. */
export interface RateFacet {
  /** Adds to the count of a key. Its window, in milliseconds, begins with the first count after the one before has ended. */
  countRate(key: string, count: number, window: number): Awaitable<RateCount>;
}
