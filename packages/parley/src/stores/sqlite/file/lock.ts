import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { StoreError } from '../../store-error.ts';
import { Database, sqliteFailure } from './driver.ts';
import { holdFile, isHeldHere } from './held-files.ts';
import { refusal } from './location.ts';

/** Holds on to the locks, because a connection without references is closed by the garbage collector. */
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
    if (isHeldHere(file)) throw inUse(path);
    if (isLockInDoubt(file)) requireUnused(file, path);
    createPrivate(`${file}-lock`);
    createPrivate(file);
    database = new Database(`${file}-lock`);
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    const lock = database;
    const letGo = holdFile(file);
    held.add(lock);
    return () => {
      held.delete(lock);
      letGo();
      lock.close();
    };
  } catch (error) {
    database?.close();
    if (error instanceof StoreError) throw error;
    if (sqliteFailure(error) !== 'busy') throw refusal(name, error);
    throw inUse(path);
  }
}

function inUse(path: string): StoreError {
  const advice = 'stop that one first or give this one another file';
  return new StoreError('IN_USE', `${path} is in use by another server: ${advice}.`);
}

/** The lock goes by the name of the file: it says nothing where the file has other names, or where the lock was removed. */
function isLockInDoubt(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || found.size === 0) return false;
  return found.nlink > 1 || !existsSync(`${file}-lock`);
}

/**
 * Refuses if any process has the file itself open, by whatever name: every connection in WAL mode keeps a shared lock on it,
 * with which this exclusive one does not agree.
 */
function requireUnused(file: string, path: string): void {
  const database = new Database(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
    database.exec('ROLLBACK');
  } catch (error) {
    throw sqliteFailure(error) === 'busy' ? inUse(path) : refusal(path, error);
  } finally {
    database.close();
  }
}

/** Makes a file that only its owner may read. SQLite gives the files beside a database the mode that the database has. */
function createPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}
