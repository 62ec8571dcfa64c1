/**
 * `lost`: the connection broke or the server went, so nobody knows what became of a statement. `refused`: the server did
 * not carry it out but may do so in a moment. `final`: the same statement would fail again.
 */
export type FailureKind = 'lost' | 'refused' | 'final';

/** Conditions of Postgres in which a statement was rolled back and may be tried again. */
const PASSING: readonly string[] = [
  '40001', // a serialization failure; our own functions raise it where another node was faster
  '40P01', // a deadlock
  '55P03', // a lock that is not available
  '53300', // too many connections
  '57P03', // the server is starting or stopping
  '25006', // a standby that was not promoted yet
  '23505', // another node has written a row of that key in this moment
];

/** The server ended the connection, before or after it carried out the statement. */
const ENDED: readonly string[] = ['57P01', '57P02', '57P04', '57P05', '57014', '08000', '08003', '08006'];

export function kindOf(error: unknown): FailureKind {
  if (error instanceof TypeError || error instanceof RangeError) return 'final';
  const code = conditionOf(error);
  // Errors without a condition are those of the network and the timeouts of the driver.
  if (code === undefined || ENDED.includes(code)) return 'lost';
  return PASSING.includes(code) ? 'refused' : 'final';
}

/** The condition that Postgres names; undefined for errors of others. */
function conditionOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('severity' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
