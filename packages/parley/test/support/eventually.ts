import { expect } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** Looks again and again until what it sees fits. */
export function eventually(look: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(look, { timeout: PATIENCE_MS, interval: 10 });
}
