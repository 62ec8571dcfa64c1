import { LONGEST_TIMER } from '../../model/basics/timers.ts';
import type { Clock } from '../ports.ts';
import { TimerLists } from './timer-lists.ts';

/** `setImmediate` where there is one; elsewhere the next timer turn. */
const nextTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => void setTimeout(callback);

function nothing(): void {}

/** Shorter timers mostly fire. */
const SHORTEST_SHARED = 50;

/** In Workers a timer ends with the request that started it, so that requests cannot share one. */
const sharesTimers =
  typeof process === 'object' &&
  typeof process.versions?.node === 'string' &&
  globalThis.navigator?.userAgent !== 'Cloudflare-Workers';

const timers = new TimerLists();

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: typeof performance === 'object' ? () => performance.now() : undefined,
  after(milliseconds, callback, options) {
    if (milliseconds === Number.POSITIVE_INFINITY) return nothing;
    const delay = Math.min(milliseconds, LONGEST_TIMER);
    if (sharesTimers && delay >= SHORTEST_SHARED && !options?.keepsAlive) return timers.start(delay, callback);
    const timer = setTimeout(callback, delay);
    if (typeof timer === 'object' && !options?.keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
  nextTurn,
};

/** A time that never goes back, for measuring how long something took. */
export function monotonicTime(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now();
}
