import type { Cell } from '../../../sql/dialect.ts';
import type { Database } from '../../file/driver.ts';
import { type AnyRow, type Reading, readByNumber, readFromBothEnds } from './readable-rows.ts';

/** Every table but `counts`, which is recounted; with an order for those that have no row numbers. */
const TABLES: Readonly<Record<string, string | undefined>> = {
  tasks: undefined,
  log: undefined,
  artifacts: undefined,
  journal: undefined,
  keys: undefined,
  context_state: undefined,
  contexts: 'tenant DESC, subject DESC, id DESC',
  context_members: 'tenant DESC, member DESC, context_id DESC',
  push_configs: 'task_id DESC, id DESC',
  cursors: 'task_id DESC, follower DESC',
  api_keys: 'id DESC',
  kept_values: 'name DESC',
};

/** Columns that hold JSON: any other text was damaged within its page. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(['body', 'status', 'metadata', 'reply', 'details']);

/** Copies all rows that can be read. Returns the names of the tables of which some cannot. */
export function copyTables(from: Database, to: Database): readonly string[] {
  const damaged: string[] = [];
  for (const [table, order] of Object.entries(TABLES)) {
    const columns = sharedColumns(from, to, table);
    if (columns.length === 0) continue;
    const names = columns.join(', ');
    const sql = `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`;
    const insert = to.prepare(sql);
    let isRefused = false;
    const reading = readingOf(from, table, order);
    if (reading) {
      for (const row of reading.rows) isRefused = !insertRow(insert, columns, row) || isRefused;
    }
    if (!reading || reading.isDamaged() || isRefused) damaged.push(table);
  }
  return damaged;
}

/** Undefined where not even the statement can be made. */
function readingOf(from: Database, table: string, order: string | undefined): Reading | undefined {
  try {
    return order === undefined ? readByNumber(from, table) : readFromBothEnds(from, `SELECT * FROM ${table}`, order);
  } catch {
    return undefined;
  }
}

function insertRow(insert: ReturnType<Database['prepare']>, columns: readonly string[], row: AnyRow): boolean {
  const cells = columns.map((name): Cell => row[name] ?? null);
  if (columns.some((name) => JSON_COLUMNS.has(name) && !isJson(row[name] ?? null))) return false;
  try {
    insert.run(...cells);
    return true;
  } catch {
    // A value that its column cannot have.
    return false;
  }
}

function isJson(cell: Cell): boolean {
  if (cell === null) return true;
  try {
    JSON.parse(String(cell));
    return true;
  } catch {
    return false;
  }
}

function sharedColumns(from: Database, to: Database, table: string): readonly string[] {
  const columnsOf = (database: Database) => {
    const sql = `SELECT name FROM pragma_table_info('${table}')`;
    return database
      .prepare<{ readonly name: string }>(sql)
      .all()
      .map(({ name }) => name);
  };
  const known = columnsOf(from);
  return columnsOf(to).filter((name) => known.includes(name));
}
