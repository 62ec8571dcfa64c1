import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from '../../store-error.ts';
import type { Database } from '../file/driver.ts';
import { inspectLock } from '../file/inspect.ts';
import { locate } from '../file/location.ts';
import { lockFile } from '../file/lock.ts';
import { existingFile, lookInto } from './look.ts';

interface CopyReport {
  readonly bytes: number;
  readonly tasks: number;
}

interface RestoreReport extends CopyReport {
  /** The file that was there before, under its new name. */
  readonly replaced: string | undefined;
}

/**
 * Copies a file as it is at one moment, while a server may go on writing it. The copy has no free pages, and is there as a
 * whole or not at all; a file in its place is overwritten only with `force`.
 */
export function backupFile(path: string, to: string, { force = false } = {}): CopyReport {
  return lookInto(path, (database, file) => {
    const target = realFile(to);
    const found = statSync(target, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new StoreError('NOT_WRITABLE', `${to} is a folder; name a file in it.`);
    if (found && target === file)
      throw new StoreError('NOT_WRITABLE', `${to} is the file itself; name another for the copy.`);
    if (found && !force) throw new StoreError('NOT_WRITABLE', `${to} is there already; --force overwrites it.`);
    if (inspectLock(target)) throw new StoreError('IN_USE', `${to} is in use by a server; name another file.`);
    const tasks = countTasks(database);
    const bytes = writeCopy(database, target, to, (made) => {
      for (const suffix of ['-wal', '-shm']) rmSync(target + suffix, { force: true });
      renameSync(made, target);
    });
    return { bytes, tasks };
  });
}

/**
 * Puts a copy in the place of a file that no server uses. What was there is kept under another name, and goes there only
 * with `force`.
 */
export function restoreFile(from: string, path: string, { force = false, now = Date.now() } = {}): RestoreReport {
  return lookInto(from, (database, copy) => {
    requireWhole(database, from);
    const file = force && existsSync(path) ? existingFile(path) : locate(path);
    if (file === copy) throw new StoreError('NOT_WRITABLE', `${path} is the copy itself; name the file to restore.`);
    const held = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (held > 0 && !force) {
      throw new StoreError('NOT_WRITABLE', `${path} has tasks; --force replaces it, and keeps it under another name.`);
    }
    const release = lockAnyFile(file, path);
    try {
      const tasks = countTasks(database);
      let replaced: string | undefined;
      const bytes = writeCopy(database, file, path, (made) => {
        replaced = held > 0 ? setAside(file, now) : undefined;
        rmSync(`${file}-wal`, { force: true });
        rmSync(`${file}-shm`, { force: true });
        renameSync(made, file);
      });
      return { bytes, tasks, replaced };
    } finally {
      release();
    }
  });
}

/** The one name of a file that may be there, whatever links lead to it. */
function realFile(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** Damage of the file itself does not matter: it is about to be replaced. A server that uses it does. */
function lockAnyFile(file: string, path: string): () => void {
  try {
    return lockFile(file, path);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code === 'IN_USE' || existsSync(`${file}-lock`)) throw error;
    closeSync(openSync(`${file}-lock`, 'a', 0o600));
    return lockFile(file, path);
  }
}

/** Gives the file a second name, so that its own is never without one, and takes the WAL along. */
function setAside(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${file}.replaced-${stamp}`;
  linkSync(file, aside);
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
  return aside;
}

/** Writes the copy under a name of its own and puts it in its place once it is on disk. Returns its bytes. */
function writeCopy(database: Database, target: string, name: string, put: (made: string) => void): number {
  const made = join(dirname(target), `.${basename(target)}.${process.pid}.partial`);
  if (!existsSync(dirname(target))) {
    throw new StoreError('NOT_WRITABLE', `${name} cannot be written: the folder ${dirname(target)} does not exist.`);
  }
  try {
    rmSync(made, { force: true });
    closeSync(openSync(made, 'wx', 0o600));
    database.prepare('VACUUM INTO ?').run(made);
    sync(made);
    put(made);
    sync(dirname(target));
    return statSync(target).size;
  } catch (error) {
    rmSync(made, { force: true });
    throw error instanceof Error && 'syscall' in error
      ? new StoreError('NOT_WRITABLE', `${name} cannot be written: ${error.message}.`, error)
      : error;
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function requireWhole(database: Database, path: string): void {
  const verdict = database.pragma('quick_check(1)');
  if (verdict === 'ok') return;
  throw new StoreError(
    'CORRUPT',
    `${path} is damaged, so it is not restored (${String(verdict)}); take another copy, or save what can be read of it by db verify --salvage.`,
  );
}

function countTasks(database: Database): number {
  return database.prepare<{ readonly n: number }>('SELECT count(*) AS n FROM tasks').get()?.n ?? 0;
}
