import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SOUND_CHECKS } from '../../../src/stores/sqlite/care/sound-checks.ts';
import { MIGRATIONS } from '../../../src/stores/sqlite/file/migrations.ts';

/** What is wrong with a file as a crash left it. Looks at a copy: the next server is to find what the crash left. */
export function faultsOfFile(file: string, copy = `${file}.copy`): string[] {
  if (!existsSync(file)) return [];
  for (const suffix of ['', '-wal']) {
    rmSync(copy + suffix, { force: true });
    if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  }
  const database = new DatabaseSync(copy);
  try {
    const verdict = database.prepare('PRAGMA integrity_check').all();
    const faults = JSON.stringify(verdict) === '[{"integrity_check":"ok"}]' ? [] : [JSON.stringify(verdict)];
    // A crash while the file was made may leave it without some of its tables.
    if (!isComplete(database)) return faults;
    for (const [fault, sql] of Object.entries(SOUND_CHECKS)) {
      const rows = database.prepare(sql).all();
      if (rows.length > 0) faults.push(`The file has ${fault}: ${JSON.stringify(rows.slice(0, 5))}`);
    }
    return faults;
  } finally {
    database.close();
  }
}

function isComplete(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA user_version').get()?.user_version === MIGRATIONS.length;
}
