import { isDeepStrictEqual } from 'node:util';
import type { Query } from '../postgres/connection/connections.ts';
import { NameCells } from '../postgres/names.ts';
import { quoted } from '../postgres/sql.ts';
import { toEvents } from '../sql/columns.ts';
import type { Database } from '../sqlite/file/driver.ts';
import { StoreError } from '../store-error.ts';
import { COPIED_TABLES, type CopiedTable, convertRow, LOG_TABLE, type Row } from './copied-tables.ts';
import { RowDigest } from './row-digest.ts';

/** Rows and characters that are on their way at once. */
const ROWS_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 4_000_000;

/** The copy is undone. */
function mismatch(table: string): StoreError {
  return new StoreError('CORRUPT', `The rows of ${table} are not the same after the copy, so nothing was copied.`);
}

/** Is told what goes on: the table, and how many of its rows are done. */
export type OnProgress = (stage: 'copying' | 'comparing', table: string, rows: number) => void;

/** Copies all tables, and reads them back. Returns the number of tasks and of events. */
export async function copyTables(source: Database, query: Query, schema: string, onProgress: OnProgress) {
  const written = new Map<string, RowDigest>();
  for (const table of [...COPIED_TABLES, LOG_TABLE])
    written.set(table.name, await copyTable(source, query, schema, table, onProgress));
  const place = (name: string) => `${quoted(schema)}.${name}`;
  await query(
    `SELECT setval(pg_get_serial_sequence($1, 'key'), coalesce(max(key), 0) + 1, false) FROM ${place('tasks')}`,
    [place('tasks')],
  );
  await query(
    `INSERT INTO ${place('counts')} (agent, tenant, subject, state, stripe, tasks)
      SELECT agent, tenant, subject, state, 0, count(*) FROM ${place('tasks')} GROUP BY agent, tenant, subject, state`,
    [],
  );
  await query(
    `INSERT INTO ${place('agent_counts')} (agent, state, stripe, tasks)
      SELECT agent, state, 0, count(*) FROM ${place('tasks')} GROUP BY agent, state`,
    [],
  );
  for (const table of COPIED_TABLES) {
    onProgress('comparing', table.name, 0);
    const found = new RowDigest(table);
    for await (const rows of storedRows(query, schema, table)) for (const row of rows) found.add(row);
    if (!written.get(table.name)?.equals(found)) throw mismatch(table.name);
  }
  onProgress('comparing', LOG_TABLE.name, 0);
  return { tasks: written.get('tasks')?.rows ?? 0, events: await compareLogs(source, query, schema) };
}

async function copyTable(
  source: Database,
  query: Query,
  schema: string,
  table: CopiedTable,
  onProgress: OnProgress,
): Promise<RowDigest> {
  const digest = new RowDigest(table);
  const columns = table.columns.map(quoted).join(', ');
  const target = `${quoted(schema)}.${table.name}`;
  const insert = `INSERT INTO ${target} (${columns}) OVERRIDING SYSTEM VALUE
    SELECT ${columns} FROM json_populate_recordset(NULL::${target}, $1::json)`;
  const names = new NameCells();
  let rows: Row[] = [];
  let characters = 0;
  for (const given of source.prepare<Row>(`SELECT ${columns} FROM ${table.name}`).iterate()) {
    const row = convertRow(table, given, names);
    digest.add(row);
    rows.push(row);
    characters += typeof row.body === 'string' ? row.body.length : 0;
    if (rows.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    onProgress('copying', table.name, digest.rows);
    await query(insert, [JSON.stringify(rows)]);
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) await query(insert, [JSON.stringify(rows)]);
  const long = [...names.long];
  const save = `INSERT INTO ${quoted(schema)}.long_names (cell, name) SELECT * FROM unnest($1::text[], $2::text[])
    ON CONFLICT (cell) DO NOTHING`;
  if (long.length > 0) await query(save, [long.map(([cell]) => cell), long.map(([, name]) => name)]);
  return digest;
}

/** Compares the logs event by event. Returns their number. */
async function compareLogs(source: Database, query: Query, schema: string): Promise<number> {
  const columns = LOG_TABLE.columns.join(', ');
  const given = source.prepare<Row>(`SELECT ${columns} FROM log ORDER BY task, seq_to`).iterate()[Symbol.iterator]();
  let events = 0;
  for await (const rows of storedRows(query, schema, LOG_TABLE)) {
    for (const row of rows) {
      const { value: before } = given.next();
      if (!before || before.task !== row.task || before.seq_to !== row.seq_to || before.kinds !== row.kinds) {
        throw mismatch('log');
      }
      const [left, right] = [before, row].map(({ body }) => [...toEvents({ body: String(body) })]);
      if (!isDeepStrictEqual(left, right)) throw mismatch('log');
      events += right?.length ?? 0;
    }
  }
  if (!given.next().done) throw mismatch('log');
  return events;
}

/** The rows of a table in Postgres, in the order of their key. */
async function* storedRows(query: Query, schema: string, { name, columns, key }: CopiedTable) {
  const select = `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(schema)}.${name}`;
  await query(`DECLARE copied NO SCROLL CURSOR FOR ${select} ORDER BY ${key.map(quoted).join(', ')}`, []);
  for (;;) {
    const { rows } = await query<Row>(`FETCH ${ROWS_AT_ONCE} FROM copied`, []);
    if (rows.length === 0) break;
    yield rows;
  }
  await query('CLOSE copied', []);
}
