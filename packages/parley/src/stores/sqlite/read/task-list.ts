import type { ListQuery, ListResult } from '../../../engine/ports.ts';
import { HEAD_COLUMNS, type HeadColumns, toHead } from '../../sql/columns.ts';
import { nameCell } from '../../sql/names.ts';
import type { Cell, Database, Statement } from '../file/driver.ts';

/** A part of a WHERE and what it is given. */
interface Condition {
  readonly sql: string;
  readonly cells: readonly Cell[];
}

/**
 * Pages of tasks. The index is named for each filter, because only the right one makes a page cost the same wherever
 * it starts. Without an owner the page is sorted from the agent's part of the index: operators ask rarely, and an index of
 * their own would be written with every change of a status. Statements are kept by their text, of which there are 32 at
 * most.
 */
export class TaskList {
  readonly #database: Database;
  readonly #statements: Map<string, Statement<unknown>> = new Map();

  constructor(database: Database) {
    this.#database = database;
  }

  page(query: ListQuery): ListResult {
    const filters = filtersOf(query);
    const from = `FROM tasks INDEXED BY ${indexFor(query)}`;
    const bounds = query.after ? [...filters, isAfter(query.after.statusTime, query.after.id)] : filters;
    const rows = this.#statement<HeadColumns>(
      `SELECT ${HEAD_COLUMNS} ${from} WHERE ${conjunction(bounds)} ORDER BY status_time DESC, id DESC LIMIT ?`,
    ).all(...cellsOf(bounds), query.limit);
    return { heads: rows.map(toHead), total: this.#total(query, filters, from) };
  }

  #total(query: ListQuery, filters: readonly Condition[], from: string): number {
    const isCounted = query.contextId === undefined && query.statusSince === undefined;
    const sql = isCounted ? 'SELECT sum(tasks) AS total FROM counts' : `SELECT count(*) AS total ${from}`;
    const statement = this.#statement<{ readonly total: number | null }>(`${sql} WHERE ${conjunction(filters)}`);
    return statement.get(...cellsOf(filters))?.total ?? 0;
  }

  #statement<Row>(sql: string): Statement<Row> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare<unknown>(sql);
      this.#statements.set(sql, statement);
    }
    return statement as Statement<Row>;
  }
}

function indexFor({ contextId, state }: ListQuery): string {
  if (contextId !== undefined) return 'tasks_of_context';
  return state === undefined ? 'tasks_in_order' : 'tasks_of_state';
}

function filtersOf({ agent, owner, contextId, state, statusSince }: ListQuery): readonly Condition[] {
  const filters: Condition[] = [{ sql: 'agent = ?', cells: [agent] }];
  if (owner)
    filters.push({ sql: 'tenant = ? AND subject = ?', cells: [nameCell(owner.tenant), nameCell(owner.subject)] });
  if (contextId !== undefined) filters.push({ sql: 'context_id = ?', cells: [nameCell(contextId)] });
  if (state !== undefined) filters.push({ sql: 'state = ?', cells: [state] });
  if (statusSince !== undefined) filters.push({ sql: 'status_time >= ?', cells: [statusSince] });
  return filters;
}

function isAfter(statusTime: number, id: string): Condition {
  return { sql: '(status_time, id) < (?, ?)', cells: [statusTime, id] };
}

function conjunction(conditions: readonly Condition[]): string {
  return conditions.map(({ sql }) => sql).join(' AND ');
}

function cellsOf(conditions: readonly Condition[]): readonly Cell[] {
  return conditions.flatMap(({ cells }) => cells);
}
