import { StoreError } from '../../store-error.ts';
import type { PgPoolClient } from '../connection/driver.ts';
import type { ConnectionSettings } from '../connection/settings.ts';
import { quoted } from '../sql.ts';
import { type Migration, statementsOf } from './migrations.ts';

/** Any number that all programs of ours agree on, and hardly another: "Parl" in ASCII. */
const LOCK = 0x5061726c;
/** The time that a node waits for another one that migrates. */
const WAIT_MS = 60_000;

interface Version {
  readonly version: number;
  readonly oldest_writer: number;
}

/**
 * Brings a schema to the present version, once, however many nodes start at the same time: the others wait. The lock is that
 * of a transaction, which every pooler passes on. A schema that a newer program has changed is left as it is, and refused
 * where that program has said that this one can no longer write.
 */
export async function migrate(
  client: PgPoolClient,
  { schema, name }: ConnectionSettings,
  steps: readonly Migration[],
): Promise<void> {
  if ((await versionOf(client, schema, name, steps.length)) >= steps.length) return;
  await client.query(`BEGIN`);
  try {
    await client.query(`SET LOCAL lock_timeout = ${WAIT_MS}`);
    await client.query({ text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))', values: [LOCK, schema] });
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
    await client.query(`SET LOCAL search_path = ${quoted(schema)}`);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_version (
      version integer NOT NULL PRIMARY KEY, oldest_writer integer NOT NULL, migrated_at timestamptz NOT NULL DEFAULT now())`);
    const version = await versionOf(client, schema, name, steps.length);
    for (const [index, step] of steps.entries()) {
      if (index < version) continue;
      await client.query(statementsOf(step, schema));
      const values = [index + 1, step.oldestWriter];
      await client.query({ text: 'INSERT INTO schema_version (version, oldest_writer) VALUES ($1, $2)', values });
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The version of the schema, 0 if there is none. Refuses one that this program must not write. */
async function versionOf(client: PgPoolClient, schema: string, name: string, known: number): Promise<number> {
  const table = `${quoted(schema)}.schema_version`;
  const found = await client.query<{ exists: boolean }>({
    text: 'SELECT to_regclass($1) IS NOT NULL AS exists',
    values: [table],
  });
  if (!found.rows[0]?.exists) return 0;
  const { rows } = await client.query<Version>(
    `SELECT version, oldest_writer FROM ${table} ORDER BY version DESC LIMIT 1`,
  );
  const { version = 0, oldest_writer: oldest = 0 } = rows[0] ?? {};
  if (oldest > known) {
    const text = `The schema ${schema} of ${name} has version ${version} of a newer release, which programs of version ${known} can no longer write.`;
    throw new StoreError('NEWER_SCHEMA', text);
  }
  return version;
}
