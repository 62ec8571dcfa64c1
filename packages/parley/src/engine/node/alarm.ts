import type { Clock } from '../ports.ts';

/**
 * Calls back once, at a time in milliseconds since the epoch or later, unless the returned function is called first. The timer
 * of a clock may be shorter than asked for: then the rest is waited for as well.
 */
export function alarm(clock: Clock, time: number, callback: () => void): () => void {
  const wait = () => clock.after(Math.max(time - clock.now(), 0), look);
  const look = () => {
    if (clock.now() < time) stop = wait();
    else callback();
  };
  let stop = wait();
  return () => stop();
}
