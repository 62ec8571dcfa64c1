import type { Awaitable, Store } from '../../engine/ports.ts';

/** A place where a store keeps what it is given when it is closed: a file, a database, a directory. */
export interface StorePlace {
  /** New, empty and not open yet. */
  readonly store: Store;
  /** A store on the same place, not open yet; the same object where that can be opened again. The one before is closed by then. */
  reopen(): Awaitable<Store>;
  /** Removes the place. Called after the test, when the last store is closed. */
  close?(): Awaitable<void>;
}

/**
 * Makes a store for one test: new, empty and not open yet. It takes the time from `now`, which is what decides in a
 * commit whether an idempotency key has expired. What must be cleaned up is cleaned up by the store's `close`. A store whose tasks
 * outlive its `close` comes with its place: the contract then also checks that they are there when the place is opened again.
 */
export type OpenStore = (now: () => number) => Awaitable<Store | StorePlace>;
