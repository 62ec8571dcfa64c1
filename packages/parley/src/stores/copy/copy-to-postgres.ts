import { existsSync } from 'node:fs';
import { Connections, type Query } from '../postgres/connection/connections.ts';
import { refusal } from '../postgres/connection/failures.ts';
import { type ConnectionSettings, readSettings } from '../postgres/connection/settings.ts';
import { Session } from '../postgres/session.ts';
import { quoted } from '../postgres/sql.ts';
import { openForReading, prepareFile } from '../sqlite/file/connections.ts';
import type { Database } from '../sqlite/file/driver.ts';
import { refusal as fileRefusal, locate } from '../sqlite/file/location.ts';
import { lockFile } from '../sqlite/file/lock.ts';
import { StoreError } from '../store-error.ts';
import { COPIED_TABLES } from './copied-tables.ts';
import { copyTables, type OnProgress } from './copy-tables.ts';

const BUSY_MS = 5000;
/** For one batch of rows. */
const PATIENCE_MS = 300_000;

interface CopyReport {
  readonly tasks: number;
  readonly events: number;
}

/**
 * Copies everything of an SQLite file into an empty schema of a Postgres database, and compares it: rows by their sums, logs
 * event by event. All of it is there afterwards, or nothing. No server may use the file; it is brought to the present schema
 * and otherwise left as it is.
 */
export async function copyToPostgres(
  path: string,
  url: string,
  onProgress: OnProgress = () => {},
): Promise<CopyReport> {
  const given = readSettings(url, {});
  const settings = { ...given, timeout: Math.max(given.timeout, PATIENCE_MS) };
  if (!existsSync(path)) throw new StoreError('NOT_WRITABLE', `There is no ${path}.`);
  const file = locate(path);
  const release = lockFile(file, path);
  try {
    const source = openSource(file, path);
    try {
      return await copyInto(source, settings, onProgress);
    } finally {
      source.close();
    }
  } finally {
    release();
  }
}

function openSource(file: string, path: string): Database {
  try {
    prepareFile(file, path, { synchronous: 'full', busyTimeout: BUSY_MS }).close();
    return openForReading(file, BUSY_MS);
  } catch (error) {
    throw fileRefusal(path, error);
  }
}

async function copyInto(source: Database, settings: ConnectionSettings, onProgress: OnProgress): Promise<CopyReport> {
  await (await Session.open(settings)).close();
  const connections = await Connections.open(settings);
  try {
    return await connections.transaction(async (query) => {
      await assertEmpty(query, settings);
      return copyTables(source, query, settings.schema, onProgress);
    });
  } catch (error) {
    throw refusal(settings, error);
  } finally {
    await connections.close();
  }
}

/** Keeps servers from writing until the copy is done, and refuses a schema in which there is something. */
async function assertEmpty(query: Query, { schema, name }: ConnectionSettings): Promise<void> {
  for (const table of COPIED_TABLES) {
    const place = `${quoted(schema)}.${table.name}`;
    await query(`LOCK TABLE ${place} IN EXCLUSIVE MODE`, []);
    if ((await query(`SELECT 1 FROM ${place} LIMIT 1`, [])).rowCount === 0) continue;
    const advice = 'copy into an empty database, or name another schema: ?schema=NAME';
    throw new StoreError('IN_USE', `The schema ${schema} of ${name} has rows in ${table.name} already; ${advice}.`);
  }
}
