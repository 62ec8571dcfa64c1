import type { ListQuery, ListResult } from '../../../engine/ports.ts';
import { type HeadColumns, toHead } from '../../sql/columns.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { listStatements } from '../../sql/list-query.ts';
import type { Connections } from '../connection/connections.ts';
import { nulCells } from '../names.ts';

/** A row of a page. Without tasks there is one row, whose `key` is null. */
interface PageColumns extends Omit<HeadColumns, 'key'> {
  readonly key: number | null;
  /** A sum, which Postgres returns as a text. */
  readonly total: string | null;
}

/** Pages of tasks: the page and the number of all matches, in one statement and so of one moment. */
export class TaskList {
  readonly #connections: Connections;
  readonly #dialect: SqlDialect;

  constructor(connections: Connections, dialect: SqlDialect) {
    this.#connections = connections;
    this.#dialect = dialect;
  }

  async page(query: ListQuery): Promise<ListResult> {
    const { page, total } = listStatements({ ...this.#dialect, text: (sql) => sql }, query);
    const sql = this.#dialect.text(`SELECT total.total, page.* FROM (${total.sql}) AS total
      LEFT JOIN LATERAL (${page.sql}) AS page ON true ORDER BY page.status_time DESC, page.id DESC`);
    const rows = await this.#connections.read<PageColumns>(sql, nulCells([...total.cells, ...page.cells]));
    const heads = rows.flatMap(({ key, ...row }) => (key === null ? [] : [toHead({ ...row, key })]));
    return { heads, total: Number(rows[0]?.total ?? 0) };
  }
}
