import { LONGEST_TIMER } from '../../model/timers.ts';
import type { Clock } from '../ports.ts';

/** `setImmediate` where there is one; elsewhere the next timer turn. */
const nextTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => void setTimeout(callback);

function nothing(): void {}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    if (milliseconds === Number.POSITIVE_INFINITY) return nothing;
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER));
    if (typeof timer === 'object') timer.unref();
    return () => clearTimeout(timer);
  },
  nextTurn,
};
