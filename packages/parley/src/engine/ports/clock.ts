/** Time and turns of the event loop; tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch; it may be set back and forth while the process runs. */
  now(): number;
  /** Milliseconds since some moment, never set. Default: `now`. */
  monotonic?: (() => number) | undefined;
  /**
   * Calls back after `milliseconds`, unless the returned function is called first. Infinity
   * = never. Does not keep a process alive, unless `keepsAlive` is set.
   */
  after(milliseconds: number, callback: () => void, options?: { readonly keepsAlive: boolean }): () => void;
  /** Calls back in a later turn of the loop, after I/O that is ready. */
  nextTurn(callback: () => void): void;
}
