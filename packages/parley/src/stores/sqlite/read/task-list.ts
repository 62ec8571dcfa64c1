import type { ListQuery, ListResult } from '../../../engine/ports.ts';
import { type HeadColumns, toHead } from '../../sql/columns.ts';
import { type BoundStatement, listStatements } from '../../sql/list-query.ts';
import type { Database, Statement } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';
import { countCallers, MOST_CALLERS, statementsOfEveryone } from './list-of-everyone.ts';

/** Pages of tasks. Statements are kept by their text. */
export class TaskList {
  readonly #database: Database;
  readonly #statements: Map<string, Statement<unknown>> = new Map();

  constructor(database: Database) {
    this.#database = database;
  }

  page(query: ListQuery): ListResult {
    const { page, total } = this.#isOfFew(query) ? statementsOfEveryone(query) : listStatements(SQLITE, query);
    const rows = this.#prepare<HeadColumns>(page).all(...page.cells);
    const count = this.#prepare<{ readonly total: number | null }>(total).get(...total.cells);
    return { heads: rows.map(toHead), total: count?.total ?? 0 };
  }

  /** An operator lists the tasks of all callers, and there are few. */
  #isOfFew(query: ListQuery): boolean {
    if (query.owner) return false;
    const callers = countCallers(query);
    return (this.#prepare<{ readonly total: number }>(callers).get(...callers.cells)?.total ?? 0) <= MOST_CALLERS;
  }

  #prepare<Row>({ sql }: BoundStatement): Statement<Row> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare<unknown>(sql);
      this.#statements.set(sql, statement);
    }
    return statement as Statement<Row>;
  }
}
