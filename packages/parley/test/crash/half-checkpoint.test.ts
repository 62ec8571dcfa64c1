import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqlite } from 'parley-a2a/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { tempFile } from '../support/temp-folder.ts';

const CONTEXTS = 2000;
const PAGE_BYTES = 4096;

it('opens a file whose checkpoint came no further than the first page', async () => {
  const file = tempFile();
  const store = sqlite(file);
  await store.open();
  await store.close();
  const torn = fileOfBrokenCheckpoint(file);
  const opened = sqlite(torn);
  await opened.open();
  onTestFinished(() => opened.close());
  const owner = { tenant: '', subject: 'somebody' };
  expect(await opened.contextOwner(owner, `c${CONTEXTS}`)).toEqual(owner);
});

/** What a crash or a full disk leaves behind: the first page counts pages that are only in the WAL. */
function fileOfBrokenCheckpoint(file: string): string {
  const torn = tempFile();
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${CONTEXTS})
      INSERT INTO contexts (tenant, id, subject, created_at, last_task_at) SELECT '', 'c' || n, 'somebody', n, n FROM numbers`);
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, torn + suffix);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  const bytes = readFileSync(torn);
  readFileSync(file).copy(bytes, 0, 0, PAGE_BYTES);
  writeFileSync(torn, bytes);
  return torn;
}
