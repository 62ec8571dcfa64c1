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

export interface ContractOptions {
  /**
   * Milliseconds after which a method that has not settled fails its test, with a sentence that names it. For a bus: after which
   * a whole test does. Default 4000: less than the time limit of a test in vitest and Jest. Where you set more, set more for that
   * limit too.
   */
  readonly patience?: number | undefined;
}

/** The store of the running test, and the time that it takes for now. */
export interface StoreTestBed {
  /** After `reopen`, the store that was opened again. */
  readonly store: Store;
  now: number;
  readonly canReopen: boolean;
  /** Closes the store and opens another one on its place. */
  reopen(): Promise<void>;
}
