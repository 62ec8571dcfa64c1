import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isPlainObject } from '../../../model/basics/json.ts';
import { StoreError } from '../../store-error.ts';
import { sqliteFailure } from './driver.ts';
import { readHeader } from './file-header.ts';
import { isHeldHere } from './held-files.ts';
import { assertOurs } from './migrations.ts';

/** Files beside the database. Where one of them cannot be written, SQLite goes on with less than we rely on. */
const COMPANIONS: readonly string[] = ['-lock', '-wal', '-shm'];

/**
 * The one name of a file, whatever links lead to it, so that all who open it meet at the same lock. Refuses what can be
 * seen to be wrong without opening the file for writing; nothing is created.
 */
export function locate(path: string): string {
  const file = followLinks(path, resolve(path));
  const folder = dirname(file);
  for (const companion of COMPANIONS.map((suffix) => file + suffix)) {
    if (existsSync(companion) && !isWritable(companion)) throw notWritable(path, `the file ${companion} is read-only`);
  }
  if (!existsSync(file)) {
    if (!isWritable(folder)) throw notWritable(path, `the folder ${folder} is read-only`);
    return file;
  }
  const found = statSync(file);
  if (!found.isFile()) {
    const kind = found.isDirectory() ? 'a folder' : 'a device or a pipe';
    throw new StoreError('FOREIGN_FILE', `${path} is ${kind}, not a database file.`);
  }
  if (!isWritable(file)) throw notWritable(path, 'the file is read-only');
  if (!isWritable(folder)) throw notWritable(path, `the folder ${folder} is read-only`);
  if (found.size > 0 && !isHeldHere(file)) peek(file, path);
  return file;
}

/** Explains an error of SQLite at the opening of a file, for its operator. */
export function refusal(path: string, error: unknown): unknown {
  switch (sqliteFailure(error)) {
    case 'not-a-database':
      return notADatabase(path, error);
    case 'corrupt':
      return new StoreError('CORRUPT', `${path} is damaged: ${reason(error)}.`, error);
    case 'busy':
      return new StoreError('IN_USE', `${path} is locked by another program.`, error);
    case 'read-only':
    case 'cannot-open':
    case 'full':
    case 'io':
      return notWritable(path, reason(error), error);
    case 'other':
    case undefined:
      return error;
  }
}

/** Looks at another program's file without leaving a trace. */
function peek(file: string, path: string): void {
  // A journal means that the file stopped in the middle of a change: only a real opening can read it.
  if (existsSync(`${file}-journal`)) return;
  const header = readHeader(file);
  if (!header) throw notADatabase(path);
  assertOurs(header, path);
}

function notADatabase(path: string, cause?: unknown): StoreError {
  return new StoreError('FOREIGN_FILE', `${path} is not an SQLite database, so it is left alone.`, cause);
}

function followLinks(path: string, file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw notWritable(path, reason(error), error);
  }
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) {
    return followLinks(path, resolve(dirname(file), readlinkSync(file)));
  }
  const folder = dirname(file);
  if (!existsSync(folder)) throw notWritable(path, `the folder ${folder} does not exist`);
  return join(realpathSync(folder), basename(file));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    // Deno refuses to look where it was not allowed to, and says best itself what it wants to be told.
    if (error instanceof Error && error.name === 'NotCapable') throw error;
    return false;
  }
}

function notWritable(path: string, why: string, cause?: unknown): StoreError {
  return new StoreError('NOT_WRITABLE', `${path} cannot be written: ${why}.`, cause);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): unknown {
  return isPlainObject(error) ? error.code : undefined;
}
