import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StoreError } from '../../store-error.ts';
import { Database } from '../file/driver.ts';
import { refusal } from '../file/location.ts';
import { assertOurs, headerOf } from '../file/migrations.ts';

const BUSY_TIMEOUT_MILLISECONDS = 5000;

/** The one name of a file that must be there. */
export function existingFile(path: string): string {
  const file = resolve(path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new StoreError('NOT_WRITABLE', `There is no ${path}.`);
  if (!found.isFile()) throw new StoreError('FOREIGN_FILE', `${path} is not a file.`);
  return realpathSync(file);
}

/** Refuses a file without a byte: SQLite takes it for a new database, and people for one of theirs. */
export function requireContent(file: string, path: string): void {
  if (statSync(file).size === 0 && !existsSync(`${file}-wal`)) {
    throw new StoreError('FOREIGN_FILE', `${path} is empty: no server has written to it, or all of it is lost.`);
  }
}

/**
 * Opens a file for reading alone, also while a server uses it. Without a WAL the file is all that there is, and SQLite
 * is told that it need not make others beside it.
 */
export function openToLook(file: string): Database {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  return new Database(url, { readOnly: true, busyTimeout: BUSY_TIMEOUT_MILLISECONDS });
}

/** Looks at a file of ours. Refuses one of another program or a newer release, and one that SQLite cannot read. */
export function lookInto<Result>(path: string, look: (database: Database, file: string) => Result): Result {
  const file = existingFile(path);
  requireContent(file, path);
  let database: Database | undefined;
  try {
    database = openToLook(file);
    assertOurs(headerOf(database), path);
    return look(database, file);
  } catch (error) {
    throw refusal(path, error);
  } finally {
    database?.close();
  }
}
