import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { sqliteFailure } from '../../../src/stores/sqlite/file/driver.ts';
import { tempFile } from '../../support/temp-folder.ts';

function open(path: string, options = {}): DatabaseSync {
  const database = new DatabaseSync(path, options);
  onTestFinished(() => database.close());
  return database;
}

const CASES: readonly [string, (path: string) => unknown][] = [
  [
    'busy',
    (path) => {
      open(path).exec('BEGIN EXCLUSIVE');
      open(path).exec('BEGIN EXCLUSIVE');
    },
  ],
  [
    'read-only',
    (path) => {
      open(path).exec('CREATE TABLE one (a)');
      open(path, { readOnly: true }).exec('CREATE TABLE two (a)');
    },
  ],
  [
    'not-a-database',
    (path) => {
      writeFileSync(path, 'Buy milk.\n'.repeat(500));
      open(path).exec('SELECT * FROM sqlite_master');
    },
  ],
  [
    'cannot-open',
    (path) => {
      mkdirSync(join(path, 'inner'), { recursive: true });
      open(path).exec('SELECT 1');
    },
  ],
  [
    'full',
    (path) => {
      const database = open(path);
      database.exec('PRAGMA max_page_count = 2');
      database.exec('CREATE TABLE one (a); INSERT INTO one VALUES (zeroblob(100000))');
    },
  ],
  ['other', (path) => open(path).exec('SELECT a FROM nothing')],
];

it.each(CASES)('tells %s by its number, and by its words where there is no number', (kind, cause) => {
  const error = thrownBy(() => cause(tempFile()));
  expect(sqliteFailure(error)).toBe(kind);
  // As Deno throws it.
  const bare = Object.assign(new Error(error.message), { code: 'ERR_SQLITE_ERROR' });
  expect(sqliteFailure(bare)).toBe(kind);
});

it('knows nothing of other errors', () => {
  expect(sqliteFailure(new Error('database is locked'))).toBeUndefined();
});

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Nothing was thrown');
}
