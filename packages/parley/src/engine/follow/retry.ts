/** The delays between attempts, in milliseconds: each is twice the one before. */
export interface RetryPolicy {
  readonly firstDelay: number;
  readonly longestDelay: number;
}

/** The delay after `failures` in a row. */
export function delayAfter({ firstDelay, longestDelay }: RetryPolicy, failures: number): number {
  return Math.min(firstDelay * 2 ** (failures - 1), longestDelay);
}
