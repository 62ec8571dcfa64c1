import { existsSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../../../store-error.ts';
import { prepareFile } from '../../file/connections.ts';
import { Database } from '../../file/driver.ts';
import { inspectLock } from '../../file/inspect.ts';
import { refusal } from '../../file/location.ts';
import { existingFile } from '../look.ts';
import { copyTables } from './copied-tables.ts';
import { tidyLeftovers } from './leftovers.ts';
import { rebuildHeads } from './lost-heads.ts';
import { copyForSalvage } from './mended-header.ts';
import { type FoldArtifacts, mendLogs } from './mended-logs.ts';

export interface SalvageReport {
  readonly tasks: number;
  readonly events: number;
  /** Tasks that are there without some of their events; histories and artifacts have what could be read. */
  readonly shortened: readonly string[];
  /** Tasks whose head was made again from an index and their log. */
  readonly rebuilt: number;
  /** Logs whose task could not be told. */
  readonly lostLogs: number;
  /** Tables of which some rows could not be read. */
  readonly damagedTables: readonly string[];
}

/**
 * Writes what can be read of a damaged file into a new one, which is sound. The damaged file is not changed. Throws a
 * StoreError where nothing can be read, or where the new file is there already.
 */
export function salvageFile(path: string, to: string, fold: FoldArtifacts): SalvageReport {
  const file = existingFile(path);
  const target = resolve(to);
  if (existsSync(target)) throw new StoreError('NOT_WRITABLE', `${to} is there already; name a new file.`);
  if (!existsSync(dirname(target))) {
    throw new StoreError('NOT_WRITABLE', `${to} cannot be written: the folder ${dirname(target)} does not exist.`);
  }
  if (inspectLock(file)) throw new StoreError('IN_USE', `${path} is in use by a server: stop that one first.`);
  const copy = `${target}.damaged-copy`;
  let isDone = false;
  try {
    copyForSalvage(file, copy);
    const report = salvage(copy, target, path, fold);
    isDone = true;
    return report;
  } catch (error) {
    throw refusal(path, error);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      rmSync(copy + suffix, { force: true });
      if (!isDone) rmSync(target + suffix, { force: true });
    }
  }
}

function salvage(copy: string, target: string, path: string, fold: FoldArtifacts): SalvageReport {
  const from = new Database(copy);
  try {
    requireTables(from, path);
    const to = prepareFile(target, target, { synchronous: 'full', busyTimeout: 0 });
    try {
      return to.write(() => {
        const damagedTables = copyTables(from, to);
        const rebuilt = rebuildHeads(from, to);
        const lostLogs = countOf(to, 'DISTINCT task', 'log WHERE task NOT IN (SELECT key FROM tasks)');
        const shortened = mendLogs(to, fold);
        tidyLeftovers(to);
        const tasks = countOf(to, '*', 'tasks');
        const events = countOf(to, '*', 'log WHERE seq_to > 0', 'sum(seq_to - seq_from + 1)');
        return { tasks, events, shortened, rebuilt, lostLogs, damagedTables };
      });
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

/** Refuses a file whose list of tables is gone: nothing tells what its pages are. */
function requireTables(from: Database, path: string): void {
  try {
    if (from.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tasks'").get()) return;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      'CORRUPT',
      `Nothing can be saved from ${path}: its list of tables is destroyed (${reason}).`,
      error,
    );
  }
  throw new StoreError('FOREIGN_FILE', `${path} has no tasks.`);
}

function countOf(database: Database, what: string, from: string, count = `count(${what})`): number {
  return database.prepare<{ readonly n: number | null }>(`SELECT ${count} AS n FROM ${from}`).get()?.n ?? 0;
}
