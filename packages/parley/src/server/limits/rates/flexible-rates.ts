import type { RateLimit } from '../../../model/traffic-limits.ts';
import { BURST_WINDOW, type RateState, type RateStore } from './rate-store.ts';

/** The result of `rate-limiter-flexible` for a key, let through or not. */
export interface FlexibleResult {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

/** A limiter of `rate-limiter-flexible`, as far as it is used here. */
export interface FlexibleLimiter {
  /** Rejects with a result where no points are left, and with an Error where the store fails. */
  consume(key: string): Promise<FlexibleResult>;
  /** Gives a point back. */
  reward(key: string): Promise<unknown>;
}

/** Options that `flexibleRates` passes to a limiter, by their names in `rate-limiter-flexible`. */
export interface FlexibleLimiterOptions {
  /** Requests that one key may make within `duration`. */
  readonly points: number;
  /** Length of the window, in seconds. */
  readonly duration: number;
  /** Prefix of the keys in the shared store. */
  readonly keyPrefix: string;
}

/**
 * Counts requests with limiters of `rate-limiter-flexible`, so that several nodes share the rates of their callers in Redis,
 * Postgres or whatever else it has. Its windows begin with a caller's first request, and do not move.
 *
 * @example
 * limits: { rate, rateStore: flexibleRates((options) => new RateLimiterRedis({ storeClient: redis, ...options })) }
 */
export function flexibleRates(limiterOf: (options: FlexibleLimiterOptions) => FlexibleLimiter): RateStore {
  const limiters = new Map<string, FlexibleLimiter>();
  const limiter = (points: number, window: number): FlexibleLimiter => {
    const keyPrefix = `parley-${points}-${window}`;
    const known = limiters.get(keyPrefix) ?? limiterOf({ points, duration: window / 1000, keyPrefix });
    limiters.set(keyPrefix, known);
    return known;
  };
  return {
    async take(key, { requests, window, burst }: RateLimit): Promise<RateState> {
      const ofWindow = limiter(requests, window);
      const whole = await consumed(ofWindow, key);
      const quota = { remaining: whole.remainingPoints, reset: Math.max(0, whole.msBeforeNext) };
      if (!whole.isTaken) return { exceeded: 'requests', ...quota };
      if (burst === undefined) return { exceeded: undefined, ...quota };
      const second = await consumed(limiter(burst, BURST_WINDOW), key);
      const ofBurst = { burstRemaining: second.remainingPoints, burstReset: Math.max(0, second.msBeforeNext) };
      if (second.isTaken) return { exceeded: undefined, ...quota, ...ofBurst };
      // A request that does not pass is not counted.
      await ofWindow.reward(key);
      return { exceeded: 'burst', ...quota, remaining: quota.remaining + 1, ...ofBurst };
    },
  };
}

async function consumed(
  limiter: FlexibleLimiter,
  key: string,
): Promise<FlexibleResult & { readonly isTaken: boolean }> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key);
    return { remainingPoints, msBeforeNext, isTaken: true };
  } catch (error) {
    if (!isResult(error)) throw error;
    const { remainingPoints, msBeforeNext } = error;
    return { remainingPoints, msBeforeNext, isTaken: false };
  }
}

function isResult(value: unknown): value is FlexibleResult {
  return typeof value === 'object' && value !== null && 'msBeforeNext' in value && !(value instanceof Error);
}
