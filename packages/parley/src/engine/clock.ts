import type { Clock } from './ports.ts';

/** `setImmediate` where there is one; elsewhere the next timer turn. */
const nextTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => void setTimeout(callback);

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    if (typeof timer === 'object') timer.unref();
    return () => clearTimeout(timer);
  },
  nextTurn,
};
