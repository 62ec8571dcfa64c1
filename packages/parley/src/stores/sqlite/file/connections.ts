import { Database } from './driver.ts';
import { APPLICATION_ID, assertOurs, headerOf, migrate } from './migrations.ts';

/** When SQLite waits for the disk. The file stays sound with all three; see `SqliteOptions`. */
export type Synchronous = 'full' | 'normal' | 'off';

export interface WriteSettings {
  readonly synchronous: Synchronous;
  readonly busyTimeout: number;
}

const CACHE_KIBIBYTES = 16_384;
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

/** Makes the file ours if it is new, and brings it to the present schema. */
export function prepareFile(file: string, path: string, settings: WriteSettings): Database {
  const database = new Database(file, settings);
  try {
    // Before the switch to WAL, so that the mark is in the file itself and can be seen without reading the WAL.
    if (database.pragma('page_count') === 0) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    assertOurs(headerOf(database), path);
    applyWriteSettings(database, settings);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function openForWriting(file: string, settings: WriteSettings): Database {
  const database = new Database(file, settings);
  applyWriteSettings(database, settings);
  return database;
}

export function openForReading(file: string, busyTimeout: number): Database {
  const database = new Database(file, { readOnly: true, busyTimeout });
  database.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
  return database;
}

function applyWriteSettings(database: Database, { synchronous }: WriteSettings): void {
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  database.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
  database.exec(`PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
}
