import type { ListQuery } from '../../engine/ports.ts';
import { HEAD_COLUMNS } from './columns.ts';
import type { Cell, SqlDialect } from './dialect.ts';
import { nameCell } from './names.ts';

/** A statement and the cells that belong to it. */
export interface BoundStatement {
  readonly sql: string;
  readonly cells: readonly Cell[];
}

/** The statements of one list: its page, and the number of all matches. */
export interface ListStatements {
  readonly page: BoundStatement;
  /** Returns one row with the column `total`, null for none. */
  readonly total: BoundStatement;
}

/**
 * Builds the statements of a list. The index is named for each filter, because only the right one makes a page cost the
 * same wherever it starts. Without an owner the page is sorted from the agent's part of the index, unless the store knows a
 * better way: operators ask rarely, and an index of their own would be written with every change of a status. There are 48 different texts at most.
 */
export function listStatements(dialect: SqlDialect, query: ListQuery): ListStatements {
  const filters = filtersOf(query);
  const index = dialect.indexedBy(indexFor(query));
  const from = `FROM tasks ${index}`;
  const bounds = query.after ? [...filters, isAfter(query.after.statusTime, query.after.id)] : filters;
  const order = 'ORDER BY status_time DESC, id DESC';
  const inOrder = `${from} WHERE ${conjunction(bounds)} ${order} LIMIT ?`;
  // Only ids are sorted, by the index alone; whole rows are read for the page only. Postgres finds its own way.
  const page =
    query.owner || index === ''
      ? `SELECT ${HEAD_COLUMNS} ${inOrder}`
      : `SELECT ${HEAD_COLUMNS} FROM tasks WHERE id IN (SELECT id ${inOrder}) ${order}`;
  const isCounted = query.contextId === undefined && query.statusSince === undefined;
  const count = isCounted ? 'SELECT sum(tasks) AS total FROM counts' : `SELECT count(*) AS total ${from}`;
  return {
    page: { sql: dialect.text(page), cells: [...cellsOf(bounds), query.limit] },
    total: { sql: dialect.text(`${count} WHERE ${conjunction(filters)}`), cells: cellsOf(filters) },
  };
}

function indexFor({ contextId, state }: ListQuery): string {
  if (contextId !== undefined) return 'tasks_of_context';
  return state === undefined ? 'tasks_in_order' : 'tasks_of_state';
}

function filtersOf({ agent, owner, tenant, contextId, state, statusSince }: ListQuery): readonly BoundStatement[] {
  const filters: BoundStatement[] = [{ sql: 'agent = ?', cells: [agent] }];
  if (owner)
    filters.push({ sql: 'tenant = ? AND subject = ?', cells: [nameCell(owner.tenant), nameCell(owner.subject)] });
  else if (tenant !== undefined) filters.push({ sql: 'tenant = ?', cells: [nameCell(tenant)] });
  if (contextId !== undefined) filters.push({ sql: 'context_id = ?', cells: [nameCell(contextId)] });
  if (state !== undefined) filters.push({ sql: 'state = ?', cells: [state] });
  if (statusSince !== undefined) filters.push({ sql: 'status_time >= ?', cells: [statusSince] });
  return filters;
}

function isAfter(statusTime: number, id: string): BoundStatement {
  return { sql: '(status_time, id) < (?, ?)', cells: [statusTime, id] };
}

function conjunction(conditions: readonly BoundStatement[]): string {
  return conditions.map(({ sql }) => sql).join(' AND ');
}

function cellsOf(conditions: readonly BoundStatement[]): readonly Cell[] {
  return conditions.flatMap(({ cells }) => cells);
}
