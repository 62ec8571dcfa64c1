const FIRST_DELAY = 100;
const LONGEST_DELAY = 3_000;

/** Milliseconds until the next attempt to connect: longer each time, and not the same for all nodes. */
export function reconnectDelay(failures: number): number {
  const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(failures, 16));
  return delay * (0.5 + Math.random() / 2);
}
