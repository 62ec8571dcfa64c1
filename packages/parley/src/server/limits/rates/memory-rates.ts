import type { RateLimit } from '../../../model/traffic-limits.ts';
import { BURST_WINDOW, type RateState, type RateStore } from './rate-store.ts';
import { RequestLog } from './request-log.ts';

/** The most callers counted at the same time; beyond it the one that was counted first starts again. */
export const MOST_CALLERS = 100_000;
/** The part of the callers that is looked at for idle ones with each new caller. */
const SWEPT = 4;

interface Counted {
  readonly log: RequestLog;
  readonly window: number;
}

/**
 * Counts in the memory of this process, exactly: the window ends with the request that is looked at, so no two windows
 * meet at a moment in which twice the quota passes. It holds eight bytes for each request of the window.
 */
export class MemoryRates implements RateStore {
  readonly #callers = new Map<string, Counted>();
  readonly #most: number;

  constructor(most: number = MOST_CALLERS) {
    this.#most = most;
  }

  /** The number of callers that are held. */
  get size(): number {
    return this.#callers.size;
  }

  take(key: string, { requests, window, burst }: RateLimit, now: number): RateState {
    const { log } = this.#callers.get(key) ?? this.#open(key, window, now);
    log.forgetUntil(now - window);
    const isFull = log.size >= requests;
    const ofBurst = burst === undefined ? 0 : log.countAfter(now - BURST_WINDOW);
    const isBurst = burst !== undefined && ofBurst >= burst;
    const until = (place: number, length: number) => waitFor(log, place, length, now);
    if (isFull || isBurst) {
      const reset = isFull ? until(requests, window) : until(log.size, window);
      const burstReset = isBurst ? until(burst, BURST_WINDOW) : 0;
      const exceeded = isFull && reset >= burstReset ? 'requests' : 'burst';
      const remaining = Math.max(0, requests - log.size);
      if (burst === undefined) return { exceeded, remaining, reset };
      return { exceeded, remaining, reset, burstRemaining: Math.max(0, burst - ofBurst), burstReset };
    }
    log.add(now);
    const remaining = requests - log.size;
    const reset = until(log.size, window);
    if (burst === undefined) return { exceeded: undefined, remaining, reset };
    const burstReset = until(ofBurst + 1, BURST_WINDOW);
    return { exceeded: undefined, remaining, reset, burstRemaining: burst - ofBurst - 1, burstReset };
  }

  look(key: string, { requests, window, burst }: RateLimit, now: number): RateState {
    const log = this.#callers.get(key)?.log ?? new RequestLog();
    log.forgetUntil(now - window);
    const left = {
      exceeded: undefined,
      remaining: Math.max(0, requests - log.size),
      reset: log.size === 0 ? 0 : waitFor(log, log.size, window, now),
    };
    if (burst === undefined) return left;
    const ofBurst = log.countAfter(now - BURST_WINDOW);
    const burstReset = ofBurst === 0 ? 0 : waitFor(log, ofBurst, BURST_WINDOW, now);
    return { ...left, burstRemaining: Math.max(0, burst - ofBurst), burstReset };
  }

  #open(key: string, window: number, now: number): Counted {
    this.#sweep(now);
    const counted = { log: new RequestLog(), window };
    this.#callers.set(key, counted);
    return counted;
  }

  /** Forgets callers who are idle; the busy ones go to the end of the row, so that the next sweep meets others. */
  #sweep(now: number): void {
    let swept = 0;
    for (const [key, counted] of this.#callers) {
      const isFull = this.#callers.size >= this.#most;
      if (swept >= SWEPT && !isFull) return;
      swept += 1;
      this.#callers.delete(key);
      counted.log.forgetUntil(now - counted.window);
      if (counted.log.size > 0 && (swept < SWEPT || !isFull)) this.#callers.set(key, counted);
    }
  }
}

/** The time until a request is no longer in the window. A clock that was set back makes no one wait for longer than that. */
function waitFor(log: RequestLog, place: number, length: number, now: number): number {
  return Math.max(0, Math.min(length, log.before(place) + length - now));
}
