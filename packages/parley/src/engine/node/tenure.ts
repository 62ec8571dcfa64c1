/**
 * This node's right to act as the holder of its leases. Without it, what it has in memory may be out of date: reads go
 * to the store, and nothing new begins.
 */
export interface Tenure {
  /** No other node can have taken over what this one holds. */
  readonly isGood: boolean;
  /** Other nodes that look dead may be taken for dead. */
  readonly mayTakeOver: boolean;
  /** Resolves when it is good again. Rejects as unavailable where that takes longer than a request may wait. */
  whenGood(): Promise<void>;
  /** Resolves when it is good again, however long that takes. */
  renewed(): Promise<void>;
  /** Tells whether a heartbeat that began after this time has reached the store, by the clock that never goes back. */
  hasRenewedSince(time: number): boolean;
}

/** On a store that only one node uses, there is no takeover. */
export const ENDLESS_TENURE: Tenure = {
  isGood: true,
  mayTakeOver: true,
  whenGood: () => Promise.resolve(),
  renewed: () => Promise.resolve(),
  hasRenewedSince: () => false,
};
