import { prepareFile } from '../file/connections.ts';
import { refusal } from '../file/location.ts';
import { lockFile } from '../file/lock.ts';
import { headerOf, MIGRATIONS } from '../file/migrations.ts';
import { backupFile } from './copy.ts';
import { existingFile, lookInto } from './look.ts';

interface MigrationReport {
  readonly from: number;
  readonly to: number;
  /** The copy of the file as it was; undefined where nothing was to be done. */
  readonly backup: string | undefined;
}

/**
 * Brings a file that no server uses to the schema of this release, after a copy of it was made beside it. A start of
 * the server does the same without the copy.
 */
export function migrateFile(path: string): MigrationReport {
  const file = existingFile(path);
  const to = MIGRATIONS.length;
  const from = lookInto(path, (database) => headerOf(database).schema);
  if (from === to) return { from, to, backup: undefined };
  const release = lockFile(file, path);
  try {
    const backup = `${path}.schema-${from}.backup`;
    backupFile(path, backup);
    prepareFile(file, path, { synchronous: 'full', busyTimeout: 5000 }).close();
    return { from, to, backup };
  } catch (error) {
    throw refusal(path, error);
  } finally {
    release();
  }
}
