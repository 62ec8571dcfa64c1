import type { Cell } from '../../../sql/dialect.ts';
import type { Database } from '../../file/driver.ts';

export type AnyRow = Readonly<Record<string, Cell>>;

/** Rows that are read at once while nothing is wrong. */
const AT_ONCE = 200;
/** Places that are tried one by one behind a damaged page, where nothing tells the last row number. */
const MOST_MISSED = 20_000;

/** The readable rows of a table. */
export interface Reading {
  readonly rows: Iterable<AnyRow>;
  /** True once a place was met that cannot be read. */
  readonly isDamaged: () => boolean;
}

/** The rows of a table with row numbers: behind a damaged page it goes on with the next row that can be read. */
export function readByNumber(database: Database, table: string): Reading {
  let isDamaged = false;
  let last: number | undefined;
  const some = database.prepare<AnyRow>(
    `SELECT rowid AS "#", * FROM ${table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  const one = database.prepare<AnyRow>(`SELECT rowid AS "#", * FROM ${table} NOT INDEXED WHERE rowid = ?`);
  function* rows(): Generator<AnyRow, void, undefined> {
    let place = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const found = attempt(() => some.all(place, AT_ONCE)) ?? attempt(() => some.all(place, 1));
      if (found) {
        if (found.length === 0) return;
        yield* found;
        place = Number(found.at(-1)?.['#']);
        continue;
      }
      isDamaged = true;
      const next = behind(Math.max(place, 0));
      if (!next) break;
      yield next;
      place = Number(next['#']);
    }
    yield* backwards(place);
  }
  /** The first row behind a place that can be read. */
  function behind(place: number): AnyRow | undefined {
    last ??= lastNumber(database, table) ?? place + MOST_MISSED;
    for (let next = place + 1; next <= last; next += 1) {
      const row = attempt(() => one.all(next))?.[0];
      if (row) return row;
    }
    return undefined;
  }
  /** From the end of the table down to what was read before, or cannot be read. */
  function* backwards(down: number): Generator<AnyRow, void, undefined> {
    const sql = `SELECT rowid AS "#", * FROM ${table} NOT INDEXED WHERE rowid > ? ORDER BY rowid DESC`;
    yield* untilDamage(() => database.prepare<AnyRow>(sql).iterate(down));
  }
  return { rows: rows(), isDamaged: () => isDamaged };
}

/** The last row number of a table, by the table itself or by an index that can be read. */
function lastNumber(database: Database, table: string): number | undefined {
  const named = `SELECT name FROM pragma_index_list('${table}')`;
  const indexes = attempt(() => database.prepare<{ readonly name: string }>(named).all()) ?? [];
  const sources = ['NOT INDEXED', ...indexes.map(({ name }) => `INDEXED BY ${name}`)];
  for (const source of sources) {
    const sql = `SELECT max(rowid) AS last FROM ${table} ${source}`;
    const last = attempt(() => database.prepare<{ readonly last: number | null }>(sql).get())?.last;
    if (typeof last === 'number') return last;
  }
  return undefined;
}

/** The rows of a query from its beginning, and from its end where something between them cannot be read. */
export function readFromBothEnds(database: Database, sql: string, order: string): Reading {
  let isDamaged = false;
  function* rows(): Generator<AnyRow, void, undefined> {
    isDamaged = yield* untilDamage(() => database.prepare<AnyRow>(sql).iterate());
    if (isDamaged) yield* untilDamage(() => database.prepare<AnyRow>(`${sql} ORDER BY ${order}`).iterate());
  }
  return { rows: rows(), isDamaged: () => isDamaged };
}

/** Returns true where it ended before the rows did. */
function* untilDamage(read: () => Iterable<AnyRow>): Generator<AnyRow, boolean, undefined> {
  try {
    yield* read();
    return false;
  } catch {
    return true;
  }
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
