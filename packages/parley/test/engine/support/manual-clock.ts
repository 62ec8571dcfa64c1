import type { Clock } from '../../../src/engine/ports.ts';
import { settle } from './puppet.ts';

/** A clock whose time the test moves; turns of the loop are real. */
export function manualClock(): Clock & { advance(milliseconds: number): Promise<void> } {
  let now = 1_700_000_000_000;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    nextTurn: (callback) => void setImmediate(callback),
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(milliseconds) {
      now += milliseconds;
      for (const timer of [...timers].filter((candidate) => candidate.at <= now)) {
        timers.delete(timer);
        timer.callback();
        await settle();
      }
    },
  };
}
