import { expect } from 'vitest';

/** Looks again and again until what it sees fits; generous, for machines that are busy. */
export function eventually(look: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(look, { timeout: 15_000, interval: 10 });
}
