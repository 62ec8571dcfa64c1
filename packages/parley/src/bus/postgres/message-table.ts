import type { BusNames } from './names.ts';
import type { BusMessage } from './payloads.ts';

/** Seconds after which a message is not taken any more: its node has gone. */
const LIFETIME_SECONDS = 120;
/** Seconds after which every node that polls has read a notice. */
const NOTICE_SECONDS = 10;
/** Seconds for which a node that polls counts as there after it has said so. */
const PRESENCE_SECONDS = 15;
/** Rows that one statement removes. */
const MOST_REMOVED = 10_000;
/** Rows that one statement reads. */
const MOST_READ = 1_000;
/** One lock for all who make the tables. */
const MAKING_LOCK = 7_264_115;
/** The inbox of all nodes. */
const ALL = '*';

interface Database {
  run<Row extends object>(sql: string, cells?: readonly unknown[]): Promise<readonly Row[]>;
}

interface MessageRow {
  readonly number: string;
  readonly message: string;
}

/**
 * Messages that are too long to be notified; and, where the database is polled, all of them, with the notices and the nodes. A
 * crash of the database may empty it, which costs what lost messages do.
 */
export class MessageTable {
  readonly #table: string;
  readonly #nodes: string;
  readonly #schema: string;

  constructor({ table, schema }: BusNames) {
    this.#table = table;
    this.#nodes = `${schema}.bus_nodes`;
    this.#schema = schema;
  }

  /** Makes the tables unless they are there; several nodes may do so at once. */
  async make(database: Database): Promise<void> {
    const [found] = await database.run<{ readonly name: string | null }>('SELECT to_regclass($1)::text AS name', [
      this.#nodes,
    ]);
    if (found?.name) return;
    await database.run(`BEGIN; SELECT pg_advisory_xact_lock(${MAKING_LOCK}); CREATE SCHEMA IF NOT EXISTS ${this.#schema};
      CREATE UNLOGGED TABLE IF NOT EXISTS ${this.#table} (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        inbox text NOT NULL,
        message text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE INDEX IF NOT EXISTS bus_messages_by_inbox ON ${this.#table} (inbox, number);
      CREATE UNLOGGED TABLE IF NOT EXISTS ${this.#nodes} (inbox text PRIMARY KEY, until timestamptz NOT NULL);
      COMMIT`);
  }

  /** Returns the number of the row. */
  async put(database: Database, inbox: string, message: BusMessage): Promise<string> {
    const sql = `INSERT INTO ${this.#table} (inbox, message) VALUES ($1, $2) RETURNING number::text`;
    const [row] = await database.run<{ readonly number: string }>(sql, [inbox, JSON.stringify(message)]);
    return row?.number ?? '';
  }

  /** Takes one message out; undefined where it is gone. */
  async take(database: Database, inbox: string, number: string): Promise<string | undefined> {
    const sql = `DELETE FROM ${this.#table} WHERE number = $2::bigint AND inbox = $1 RETURNING message`;
    const [row] = await database.run<{ readonly message: string }>(sql, [inbox, number]);
    return row?.message;
  }

  /** Takes all messages of a node out. */
  async takeAll(database: Database, inbox: string): Promise<readonly string[]> {
    const sql = `DELETE FROM ${this.#table} WHERE number IN
      (SELECT number FROM ${this.#table} WHERE inbox = $1 ORDER BY number LIMIT ${MOST_READ} FOR UPDATE SKIP LOCKED)
      RETURNING number::text, message`;
    const rows = await database.run<MessageRow>(sql, [inbox]);
    return rows.map(({ message }) => message);
  }

  async putNotices(database: Database, payloads: readonly string[]): Promise<void> {
    const sql = `INSERT INTO ${this.#table} (inbox, message) SELECT $1, payload FROM unnest($2::text[]) AS payload`;
    await database.run(sql, [ALL, payloads]);
  }

  /** The place after the last notice. */
  async lastNotice(database: Database): Promise<string> {
    const sql = `SELECT coalesce(max(number), 0)::text AS number FROM ${this.#table} WHERE inbox = $1`;
    const [row] = await database.run<{ readonly number: string }>(sql, [ALL]);
    return row?.number ?? '0';
  }

  /** Notices after a place. One whose number was taken earlier and written later is missed; its readers poll the store. */
  notices(database: Database, after: string): Promise<readonly MessageRow[]> {
    const sql = `SELECT number::text, message FROM ${this.#table} WHERE inbox = $1 AND number > $2::bigint
      ORDER BY number LIMIT ${MOST_READ}`;
    return database.run<MessageRow>(sql, [ALL, after]);
  }

  /** Says that a node which polls is there. */
  async arrive(database: Database, inbox: string): Promise<void> {
    await database.run(
      `INSERT INTO ${this.#nodes} (inbox, until) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
        ON CONFLICT (inbox) DO UPDATE SET until = excluded.until`,
      [inbox, PRESENCE_SECONDS],
    );
  }

  async leave(database: Database, inbox: string): Promise<void> {
    await database.run(`DELETE FROM ${this.#nodes} WHERE inbox = $1`, [inbox]);
  }

  async isThere(database: Database, inbox: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${this.#nodes} WHERE inbox = $1 AND until > clock_timestamp()`;
    return (await database.run(sql, [inbox])).length > 0;
  }

  /** Removes messages not taken, notices that all have read, and nodes that are gone. */
  async clean(database: Database): Promise<void> {
    await database.run(
      `DELETE FROM ${this.#table} WHERE number IN (SELECT number FROM ${this.#table} WHERE at < clock_timestamp() -
        make_interval(secs => CASE WHEN inbox = $1 THEN $2::int ELSE $3::int END) ORDER BY number LIMIT ${MOST_REMOVED})`,
      [ALL, NOTICE_SECONDS, LIFETIME_SECONDS],
    );
    await database.run(`DELETE FROM ${this.#nodes} WHERE until < clock_timestamp() - make_interval(secs => $1)`, [
      LIFETIME_SECONDS,
    ]);
  }
}
