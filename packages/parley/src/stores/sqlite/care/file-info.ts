import { statSync } from 'node:fs';
import type { Database } from '../file/driver.ts';
import { inspectLock } from '../file/inspect.ts';
import { headerOf, MIGRATIONS } from '../file/migrations.ts';
import { lookInto } from './look.ts';

/** The tables whose rows are counted, and what they are called. */
const COUNTED = {
  contexts: 'contexts',
  logRows: 'log',
  artifacts: 'artifacts',
  journalEntries: 'journal',
  keys: 'keys',
  webhooks: 'push_configs',
  apiKeys: 'api_keys',
} as const;

/** A file of tasks in figures. Times are in milliseconds since the epoch. */
export interface FileInfo {
  readonly schema: number;
  readonly latestSchema: number;
  readonly isInUse: boolean;
  readonly bytes: number;
  readonly walBytes: number;
  readonly pageBytes: number;
  readonly pages: number;
  /** Pages that the next commits use before the file grows. */
  readonly freePages: number;
  readonly tasks: number;
  readonly states: Readonly<Record<string, number>>;
  /** Ended tasks whose events were dropped. */
  readonly trimmed: number;
  readonly rows: Readonly<Partial<Record<keyof typeof COUNTED, number>>>;
  readonly oldestTask: number | undefined;
  readonly oldestEnd: number | undefined;
  readonly latestChange: number | undefined;
}

/** Looks at a file without changing anything, also while a server uses it. */
export function fileInfo(path: string): FileInfo {
  return lookInto(path, (database, file) =>
    database.snapshot(() => {
      const { schema } = headerOf(database);
      const states = statesOf(database);
      const times = timesOf(database);
      return {
        schema,
        latestSchema: MIGRATIONS.length,
        isInUse: inspectLock(file),
        bytes: statSync(file).size,
        walBytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        pageBytes: Number(database.pragma('page_size')),
        pages: Number(database.pragma('page_count')),
        freePages: Number(database.pragma('freelist_count')),
        tasks: Object.values(states).reduce((sum, count) => sum + count, 0),
        states,
        trimmed: hasColumn(database, 'tasks', 'trimmed') ? countOf(database, 'tasks WHERE trimmed = 1') : 0,
        rows: rowsOf(database),
        ...times,
      };
    }),
  );
}

function statesOf(database: Database): Readonly<Record<string, number>> {
  const sql = 'SELECT state, count(*) AS n FROM tasks GROUP BY state ORDER BY state';
  const rows = database.prepare<{ readonly state: string; readonly n: number }>(sql).all();
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

function timesOf(database: Database): Pick<FileInfo, 'oldestTask' | 'oldestEnd' | 'latestChange'> {
  const sql = `SELECT min(created_at) AS oldestTask, max(status_time) AS latestChange,
    min(status_time) FILTER (WHERE state IN ('completed', 'failed', 'canceled', 'rejected')) AS oldestEnd FROM tasks`;
  const row = database.prepare<Readonly<Record<string, number | null>>>(sql).get() ?? {};
  const { oldestTask, oldestEnd, latestChange } = row;
  return {
    oldestTask: oldestTask ?? undefined,
    oldestEnd: oldestEnd ?? undefined,
    latestChange: latestChange ?? undefined,
  };
}

/** Files of earlier releases lack some of the tables. */
function rowsOf(database: Database): FileInfo['rows'] {
  const known = Object.entries(COUNTED).filter(([, table]) => hasColumn(database, table));
  return Object.fromEntries(known.map(([name, table]) => [name, countOf(database, table)]));
}

function countOf(database: Database, from: string): number {
  return database.prepare<{ readonly n: number }>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
}

/** Without a column: tells whether the table is there. */
function hasColumn(database: Database, table: string, column?: string): boolean {
  const columns = database.prepare<{ readonly name: string }>('SELECT name FROM pragma_table_info(?)').all(table);
  return column === undefined ? columns.length > 0 : columns.some(({ name }) => name === column);
}
