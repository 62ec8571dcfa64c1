import { CONTEXT_IS_LEFT } from '../../sql/purge-statements.ts';
import type { Database, Statement } from '../file/driver.ts';

/** Rows of each table that one call removes: a commit may be waiting. */
const MOST_ROWS = 1000;

/** Expired keys and values of contexts. */
const STATEMENTS: readonly string[] = [
  `DELETE FROM keys WHERE rowid IN
    (SELECT rowid FROM keys INDEXED BY keys_by_expiry WHERE expires_at <= ? LIMIT ${MOST_ROWS})`,
  `DELETE FROM context_state WHERE rowid IN
    (SELECT rowid FROM context_state INDEXED BY context_state_by_expiry WHERE expires_at <= ? LIMIT ${MOST_ROWS})`,
];
const CONTEXTS = `DELETE FROM contexts WHERE (tenant, subject, id) IN
  (SELECT tenant, subject, id FROM contexts INDEXED BY contexts_without_tasks WHERE ${CONTEXT_IS_LEFT} LIMIT ${MOST_ROWS})`;

/** Removes idempotency keys, values of contexts and contexts whose time is up, inside a transaction of the writer. */
export class Sweep {
  readonly #expired: readonly Statement<never>[];
  readonly #contexts: Statement<never>;

  constructor(database: Database) {
    this.#expired = STATEMENTS.map((sql) => database.prepare(sql));
    this.#contexts = database.prepare(CONTEXTS);
  }

  /** Returns true if there may be more. */
  run(now: number): boolean {
    const removed = this.#expired.map((statement) => Number(statement.run(now).changes));
    return Math.max(...removed, Number(this.#contexts.run().changes)) >= MOST_ROWS;
  }
}
