import type { DatabaseSync } from 'node:sqlite';
import { requireNode } from '../../../model/basics/node-version.ts';
import type { Cell } from '../../sql/dialect.ts';

/** Not imported: where there is none, a program should hear which Node it needs before anything of it runs. */
function requireSqlite(): typeof import('node:sqlite') {
  const library = process.getBuiltinModule?.('node:sqlite');
  if (library) return library;
  requireNode();
  throw new Error('sqlite() needs the module node:sqlite, which this runtime does not have');
}

/** A prepared statement. `Row` is what its SQL selects; nothing checks that. */
export interface Statement<Row> {
  run(...cells: readonly Cell[]): { readonly changes: number | bigint };
  get(...cells: readonly Cell[]): Row | undefined;
  all(...cells: readonly Cell[]): readonly Row[];
  /** Fetches as it is consumed. It must be left before the statement is used again. */
  iterate(...cells: readonly Cell[]): Iterable<Row>;
}

interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for another process's lock. */
  readonly busyTimeout?: number;
}

/** The only place that knows which SQLite library is used. */
export class Database {
  readonly #connection: DatabaseSync;

  constructor(location: string | URL, options: DatabaseOptions = {}) {
    const { DatabaseSync: Connection } = requireSqlite();
    this.#connection = new Connection(location, {
      readOnly: options.readOnly ?? false,
      timeout: options.busyTimeout ?? 0,
    });
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  prepare<Row = never>(sql: string): Statement<Row> {
    return this.#connection.prepare(sql) as unknown as Statement<Row>;
  }

  /** The value of a setting. */
  pragma(name: string): Cell {
    const row = this.prepare<Readonly<Record<string, Cell>>>(`PRAGMA ${name}`).get();
    return row ? (Object.values(row)[0] ?? null) : null;
  }

  /** All of the work is written, or none of it. */
  write<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  /** All reads of the work see the same state: that of the transaction around it, where there is one. */
  snapshot<Result>(work: () => Result): Result {
    if (this.#connection.isTransaction) return work();
    return this.#transaction('BEGIN', work);
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  #transaction<Result>(begin: string, work: () => Result): Result {
    this.#connection.exec(begin);
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite itself rolls back after some failures, a full disk among them.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Prepares statements that return no rows, by the same names. */
export function prepareAll<Names extends string>(
  database: Database,
  statements: Readonly<Record<Names, string>>,
): Readonly<Record<Names, Statement<never>>> {
  const entries = Object.entries<string>(statements).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(entries) as Record<Names, Statement<never>>;
}

/** SQLite's name for what went wrong; undefined for errors that are not of SQLite. */
export function sqliteFailure(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  // The low byte is the kind of failure, the rest only refines it.
  if ('errcode' in error && typeof error.errcode === 'number') return FAILURES[error.errcode & 0xff] ?? 'other';
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  // Deno gives no number; SQLite's words for it are always the same.
  return FAILURE_TEXTS.find(([text]) => error.message.startsWith(text))?.[1] ?? 'other';
}

type SqliteFailure = 'busy' | 'read-only' | 'corrupt' | 'full' | 'cannot-open' | 'io' | 'not-a-database' | 'other';

const FAILURE_TEXTS: readonly (readonly [string, SqliteFailure])[] = [
  ['unable to open database file', 'cannot-open'],
  ['database is locked', 'busy'],
  ['database table is locked', 'busy'],
  ['attempt to write a readonly database', 'read-only'],
  ['disk I/O error', 'io'],
  ['database disk image is malformed', 'corrupt'],
  ['database or disk is full', 'full'],
  ['file is not a database', 'not-a-database'],
];

const FAILURES: Readonly<Record<number, SqliteFailure>> = {
  3: 'cannot-open',
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'cannot-open',
  26: 'not-a-database',
};
