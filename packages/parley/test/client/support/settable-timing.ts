import type { Timing } from '../../../src/client/call/timing.ts';

/** Time that a test sets; timers run in real time. */
export interface SettableTiming extends Timing {
  time: number;
}

export function settableTiming(): SettableTiming {
  const timing: SettableTiming = {
    time: Date.UTC(2030, 0, 1),
    now: () => timing.time,
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
  };
  return timing;
}
