import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Database, sqliteFailure } from './driver.ts';
import { readHeader } from './file-header.ts';
import { locate, refusal } from './location.ts';
import { MIGRATIONS } from './migrations.ts';

/** A file of tasks, as it is found without changing anything in it. */
interface FileReport {
  readonly exists: boolean;
  readonly bytes: number;
  /** The schema of the file and that of this release; a smaller one is brought up to date at the next start. */
  readonly schema: number;
  readonly latestSchema: number;
  /** A server uses it. */
  readonly isInUse: boolean;
  /** The damage that SQLite finds; undefined without a check. */
  readonly damage: readonly string[] | undefined;
}

/** Larger files take too long to be looked through while a person waits. */
const LARGEST_CHECKED: number = 2 * 1024 ** 3;

const MOST_DAMAGES = 5;

/** Looks at a file. Throws a StoreError where it cannot be a store's: it cannot be written, is foreign, newer or no database. */
export function inspectFile(path: string): FileReport {
  const file = locate(path);
  const latestSchema = MIGRATIONS.length;
  if (!existsSync(file)) {
    return { exists: false, bytes: 0, schema: 0, latestSchema, isInUse: false, damage: [] };
  }
  const { size: bytes } = statSync(file);
  const schema = readHeader(file)?.schema ?? 0;
  const isInUse = inspectLock(file);
  const damage = bytes > LARGEST_CHECKED ? undefined : damageOf(file, path);
  return { exists: true, bytes, schema, latestSchema, isInUse, damage };
}

/** Tells whether a server uses the file. */
export function inspectLock(file: string): boolean {
  const lock = `${file}-lock`;
  if (!existsSync(lock)) return false;
  const database = new Database(lock);
  try {
    database.exec('BEGIN EXCLUSIVE');
    database.exec('ROLLBACK');
    return false;
  } catch (error) {
    return sqliteFailure(error) === 'busy';
  } finally {
    database.close();
  }
}

/** Without a WAL the file is all that there is, and SQLite is told that it need not make others beside it. */
function damageOf(file: string, path: string): readonly string[] {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  let database: Database | undefined;
  try {
    database = new Database(url, { readOnly: true });
    const rows = database.prepare<Readonly<Record<string, string>>>(`PRAGMA quick_check(${MOST_DAMAGES})`).all();
    return rows.map((row) => Object.values(row)[0] ?? '').filter((text) => text !== 'ok');
  } catch (error) {
    const known = refusal(path, error);
    return [known instanceof Error ? known.message : String(known)];
  } finally {
    database?.close();
  }
}
