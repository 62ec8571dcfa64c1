import { StoreError } from '../../store-error.ts';
import type { ConnectionSettings } from './settings.ts';

/**
 * `lost`: the connection broke or the server went, so the outcome of a statement is unknown. `refused`: the server did
 * not carry it out but may do so in a moment. `final`: the same statement would fail again.
 */
export type FailureKind = 'lost' | 'refused' | 'final';

/** Conditions of Postgres in which a statement was rolled back and may be tried again. */
const PASSING: readonly string[] = [
  '40001', // a serialization failure; our own functions raise it where another node was faster
  '40P01', // a deadlock
  '55P03', // a lock that is not available
  '53300', // too many connections
  '57014', // a statement that took longer than it may
  '57P03', // the server is starting or stopping
  '25006', // a standby that was not promoted yet
  '23505', // a clash
];

/** A row of that key is there, which another node may have written in this moment. */
export function isClash(error: unknown): boolean {
  return conditionOf(error) === '23505';
}

/** Named statements are in the session where they are not expected, or not where they are: another client uses the session too. */
export function isOfSharedSession(error: unknown): boolean {
  const code = conditionOf(error);
  return code === '42P05' || code === '26000';
}

/** The server ended the connection, before or after it carried out the statement. */
const ENDED: readonly string[] = ['57P01', '57P02', '57P04', '57P05', '08000', '08003', '08006'];

export function kindOf(error: unknown): FailureKind {
  if (error instanceof TypeError || error instanceof RangeError) return 'final';
  const code = conditionOf(error);
  // Errors without a condition are those of the network and the timeouts of the driver.
  if (code === undefined || ENDED.includes(code) || isOfPooler(error, code)) return 'lost';
  return PASSING.includes(code) ? 'refused' : 'final';
}

/** PgBouncer ends a connection so where its own one to the server broke, or where there is none. A statement of ours has a lesser severity. */
function isOfPooler(error: unknown, code: string): boolean {
  return code === '08P01' && (error as { readonly severity?: unknown }).severity === 'FATAL';
}

/** The condition that Postgres names; undefined for errors of others. */
function conditionOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('severity' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Explains why a database cannot be opened, for its operator. */
export function refusal({ name }: ConnectionSettings, error: unknown): unknown {
  if (error instanceof StoreError || error instanceof TypeError || error instanceof RangeError) return error;
  const reason = error instanceof Error && error.message !== '' ? error.message : 'it does not respond';
  const code = conditionOf(error);
  // The user may connect, but not make or write tables.
  if (code === '42501' || code === '25006') {
    return new StoreError('NOT_WRITABLE', `The database ${name} cannot be written: ${reason}.`, error);
  }
  return new StoreError('UNREACHABLE', `The database ${name} cannot be used: ${reason}.`, error);
}
