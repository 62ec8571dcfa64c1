import type { Awaitable } from '../../../engine/ports.ts';
import type { RateLimit } from '../../../model/traffic-limits.ts';

/** The window of `burst`, in milliseconds. */
export const BURST_WINDOW = 1000;

/** The quota of a caller after one request. Times are in milliseconds. */
export interface RateState {
  /** The quota that is used up; undefined for a request that may pass, which is then counted. */
  readonly exceeded: 'requests' | 'burst' | undefined;
  /** The number of further requests that may come within the window. */
  readonly remaining: number;
  /** The time until `remaining` grows again; where a quota is used up, the time until it is not. */
  readonly reset: number;
  /** The same for the quota of one second, where there is one. */
  readonly burstRemaining?: number | undefined;
  readonly burstReset?: number | undefined;
}

/**
 * Counts the requests of callers. Nodes that share a store share the quotas, too. A store that fails lets requests pass; the
 * server logs it.
 */
export interface RateStore {
  /** Counts a request if the limit lets it pass. `now`: milliseconds since the epoch. */
  take(key: string, limit: RateLimit, now: number): Awaitable<RateState>;
  /** The quota of a caller, at once and without counting anything, for a request that another limit refuses. */
  look?(key: string, limit: RateLimit, now: number): RateState;
}
