import { LONGEST_TIMER } from '../../model/basics/timers.ts';
import { abortable } from './signals.ts';

/** Time and chance, which tests replace. */
export interface Timing {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls back once after `milliseconds`, unless the returned function is called before. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
  /** At least 0, below 1. */
  readonly random: () => number;
}

function nothing(): void {}

export const systemTiming: Timing = {
  now: Date.now,
  after(milliseconds, callback) {
    if (milliseconds === Number.POSITIVE_INFINITY) return nothing;
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export async function sleep(timing: Timing, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let stop = nothing;
  const waiting = new Promise<void>((resolve) => {
    stop = timing.after(milliseconds, resolve);
  });
  await abortable(waiting, signal)?.finally(stop);
}

/** Tells whether a promise is settled, either way, before so much time has passed. */
export function isSettledWithin(timing: Timing, milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = timing.after(milliseconds, () => resolve(false));
    const settled = () => {
      stop();
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

interface Backoff {
  readonly firstDelay: number;
  readonly longestDelay: number;
}

/** The pause before an attempt (1, 2, …): doubling, and anywhere in the upper half of that, so that clients spread. */
export function delayBefore(attempt: number, { firstDelay, longestDelay }: Backoff, random: () => number): number {
  const whole = Math.min(longestDelay, firstDelay * 2 ** Math.min(attempt - 1, 30));
  return Math.round(whole / 2 + (whole / 2) * random());
}
