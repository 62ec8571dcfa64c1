import { StoreError } from '../../store-error.ts';
import { Database, sqliteFailure } from './driver.ts';
import { refusal } from './location.ts';

/** Holds on to the locks, because a connection that nobody refers to is closed by the garbage collector. */
const held: Set<Database> = new Set();

/**
 * Keeps a second server away from the file until the returned function is called or the process ends in any way. The
 * lock is SQLite's own on an empty database beside the file, because the system drops it with the process. The lock
 * file stays behind: removing it could give two servers a lock each.
 */
export function lockFile(file: string, path: string): () => void {
  const name = `${path}-lock`;
  let database: Database | undefined;
  try {
    database = new Database(`${file}-lock`);
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    const lock = database;
    held.add(lock);
    return () => {
      held.delete(lock);
      lock.close();
    };
  } catch (error) {
    database?.close();
    if (sqliteFailure(error) !== 'busy') throw refusal(name, error);
    const advice = 'stop that one first or give this one another file';
    throw new StoreError('IN_USE', `${path} is in use by another server: ${advice}.`);
  }
}
