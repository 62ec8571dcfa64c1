import { StoreError } from '../../store-error.ts';
import type { PgPoolClient } from './driver.ts';
import type { ConnectionSettings } from './settings.ts';

/** Milliseconds for each statement of the look. */
const PATIENCE = 2000;
const KEEP = "SELECT set_config('parley.session', $1, false)";
const KEPT = "SELECT current_setting('parley.session', true) AS kept";

/**
 * True where something in between gives a connection another session of the server for each transaction: while another
 * connection has a transaction open, what this one has set is gone.
 */
export async function sharesSessions(one: PgPoolClient, other: PgPoolClient): Promise<boolean> {
  const token = crypto.randomUUID();
  await one.query({ text: KEEP, values: [token], query_timeout: PATIENCE });
  await other.query({ text: 'BEGIN', query_timeout: PATIENCE });
  const { rows } = await one.query<{ readonly kept: string | null }>({ text: KEPT, query_timeout: PATIENCE });
  await other.query({ text: 'ROLLBACK', query_timeout: PATIENCE });
  return rows[0]?.kept !== token;
}

/** The refusal of a database whose sessions are shared, for its operator. */
export function poolUnsaid({ name }: ConnectionSettings, cause?: unknown): StoreError {
  const text = `The database ${name} is behind a pooler that assigns connections for one transaction each: add pool=transaction to its address.`;
  return new StoreError('BAD_ADDRESS', text, cause);
}
