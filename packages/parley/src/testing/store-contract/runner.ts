import type { Store } from '../../engine/ports.ts';

/** The two matchers that the contract needs. */
export interface Expectation {
  /** The same value, as by `Object.is`. */
  toBe(expected: unknown): unknown;
  /** Equal in depth; a member that is undefined counts as absent. */
  toEqual(expected: unknown): unknown;
}

/** A test runner: vitest, Jest, `node:test` with an `expect`, or anything else of this shape. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  readonly expect: (actual: unknown) => Expectation;
}

/** The store of the running test, and the time that it takes for now. */
export interface StoreTestBed {
  readonly store: Store;
  now: number;
}
