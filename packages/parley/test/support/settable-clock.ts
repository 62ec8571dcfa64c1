import type { A2AServerOptions } from 'parley-a2a';

type Clock = NonNullable<A2AServerOptions['clock']>;

/** A clock that a test sets; timers run in real time. */
export interface SettableClock extends Clock {
  /** Milliseconds since the epoch. */
  time: number;
}

export function settableClock(start = '2026-03-01T12:00:00.000Z'): SettableClock {
  const clock: SettableClock = {
    time: Date.parse(start),
    now: () => clock.time,
    after(milliseconds, callback) {
      if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    nextTurn: (callback) => void setImmediate(callback),
  };
  return clock;
}
