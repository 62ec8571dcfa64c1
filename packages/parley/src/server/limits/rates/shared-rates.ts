import type { Awaitable, RateFacet } from '../../../engine/ports.ts';
import type { RateLimit } from '../../../model/traffic-limits.ts';
import { MOST_CALLERS } from './memory-rates.ts';
import { RateShare } from './rate-share.ts';
import { BURST_WINDOW, type RateState, type RateStore } from './rate-store.ts';

/** Callers that are looked at with each new one, whether they are idle. */
const SWEPT = 4;

interface Shares {
  readonly whole: RateShare;
  readonly burst: RateShare | undefined;
}

/**
 * Counts in the store for all nodes that share it. A node takes a twentieth of a quota at a time, so that no more than the
 * quota passes in a window, and up to a twentieth less for each other node that has not used its own. Windows begin with a
 * caller's first request and do not move.
 */
export class SharedRates implements RateStore {
  readonly #facet: RateFacet;
  readonly #callers = new Map<string, Shares>();

  constructor(facet: RateFacet) {
    this.#facet = facet;
  }

  take(key: string, limit: RateLimit, now: number): Awaitable<RateState> {
    const shares = this.#sharesOf(key, limit, now);
    const taken = shares.whole.take(now);
    return taken instanceof Promise
      ? taken.then((isTaken) => this.#takeBurst(shares, isTaken, now))
      : this.#takeBurst(shares, taken, now);
  }

  #takeBurst(shares: Shares, isTaken: boolean, now: number): Awaitable<RateState> {
    if (!isTaken || !shares.burst) return stateOf(shares, isTaken ? undefined : 'requests', now);
    const taken = shares.burst.take(now);
    const finish = (isWithin: boolean): RateState => {
      // A request that does not pass is not counted.
      if (!isWithin) shares.whole.giveBack();
      return stateOf(shares, isWithin ? undefined : 'burst', now);
    };
    return taken instanceof Promise ? taken.then(finish) : finish(taken);
  }

  /** A caller with new limits is counted from zero. */
  #sharesOf(caller: string, { requests, window, burst }: RateLimit, now: number): Shares {
    const key = `${requests} ${window} ${burst ?? ''} ${caller}`;
    const known = this.#callers.get(key);
    if (known) return known;
    this.#sweep(now);
    const facet = this.#facet;
    const shares = {
      whole: new RateShare({ facet, key, quota: requests, window }),
      burst:
        burst === undefined
          ? undefined
          : new RateShare({ facet, key: `burst ${key}`, quota: burst, window: BURST_WINDOW }),
    };
    this.#callers.set(key, shares);
    return shares;
  }

  /** Forgets callers who are idle; the busy ones go to the end of the row. Beyond the limit the oldest goes in any case. */
  #sweep(now: number): void {
    let swept = 0;
    for (const [key, shares] of this.#callers) {
      if (swept >= SWEPT) return;
      swept += 1;
      this.#callers.delete(key);
      const isFull = this.#callers.size >= MOST_CALLERS;
      if (!isFull && !(shares.whole.isIdle(now) && (shares.burst?.isIdle(now) ?? true))) this.#callers.set(key, shares);
    }
  }
}

function stateOf({ whole, burst }: Shares, exceeded: RateState['exceeded'], now: number): RateState {
  const state = { exceeded, remaining: whole.remaining, reset: whole.reset(now) };
  return burst ? { ...state, burstRemaining: burst.remaining, burstReset: burst.reset(now) } : state;
}

/** The counts of a store that may not be open yet when a request comes: it is counted then. */
export function openedRates(rates: RateFacet | undefined, whenOpen: () => Promise<void>): RateFacet | undefined {
  if (!rates) return undefined;
  return {
    countRate: async (...counted) => {
      await whenOpen();
      return rates.countRate(...counted);
    },
  };
}
