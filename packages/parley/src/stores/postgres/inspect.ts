import { loadDriver } from './connection/driver.ts';
import { readSettings } from './connection/settings.ts';
import { MIGRATIONS } from './schema/migrations.ts';
import { quoted } from './sql.ts';

/** The report of `parley doctor` about a database. */
interface InspectedDatabase {
  /** Host and name, without the password. */
  readonly name: string;
  /** The server's: 16.4. */
  readonly version: string;
  /** The schema of the tables; 0 if there is none yet. */
  readonly schema: number;
  readonly latestSchema: number;
  /** Milliseconds of one statement. */
  readonly roundTrip: number;
  readonly isReadOnly: boolean;
  readonly pool: 'session' | 'transaction';
  /** True if a notification of this connection came back to it; undefined if no server would listen. */
  readonly hearsNotices: boolean | undefined;
}

/** Milliseconds for the connection and each statement, and for a notification to come back. */
const TIMEOUT = 5_000;
const HEARING_TIME = 2_000;

/** Looks at a database and changes nothing. Rejects where it cannot be reached. */
export async function inspectDatabase(url: string): Promise<InspectedDatabase> {
  const settings = readSettings(url, {});
  const { name, pool, schema } = settings;
  const { Client } = await loadDriver();
  const client = new Client({ connectionString: settings.url, connectionTimeoutMillis: TIMEOUT });
  client.on('error', () => {});
  const ask = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query<Row>({ text, values, query_timeout: TIMEOUT })).rows[0];
  await client.connect();
  try {
    const begun = performance.now();
    const about = await ask<{ version: string; standby: boolean }>(
      "SELECT split_part(current_setting('server_version'), ' ', 1) AS version, pg_is_in_recovery() AS standby",
    );
    const roundTrip = Math.round((performance.now() - begun) * 10) / 10;
    const table = `${quoted(schema)}.schema_version`;
    const found = await ask<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [table]);
    const known = found?.name
      ? await ask<{ version: number }>(`SELECT max(version) AS version FROM ${table}`)
      : undefined;
    return {
      name,
      version: about?.version ?? '',
      schema: known?.version ?? 0,
      latestSchema: MIGRATIONS.length,
      roundTrip,
      isReadOnly: about?.standby ?? false,
      pool,
      hearsNotices: pool === 'session' ? await hears(client, ask) : undefined,
    };
  } finally {
    await client.end().catch(() => {});
  }
}

type Ask = (text: string, values?: readonly unknown[]) => Promise<unknown>;

/** Listens, and sees whether its own notification arrives: a pooler of transactions would lose it. */
async function hears(
  client: { on(event: 'notification', listener: (message: { readonly payload?: string }) => void): unknown },
  ask: Ask,
): Promise<boolean> {
  const word = crypto.randomUUID();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  client.on('notification', ({ payload }) => payload === word && resolve(true));
  const timer = setTimeout(resolve, HEARING_TIME, false);
  try {
    await ask('LISTEN parley_doctor');
    await ask("SELECT pg_notify('parley_doctor', $1)", [word]);
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
