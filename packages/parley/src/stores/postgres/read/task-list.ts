import type { ListQuery, ListResult } from '../../../engine/ports.ts';
import { TASK_STATES } from '../../../model/states.ts';
import { type HeadColumns, toHead } from '../../sql/columns.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { type BoundStatement, type ListStatements, listStatements } from '../../sql/list-query.ts';
import type { Connections } from '../connection/connections.ts';
import { nameCells } from '../names.ts';
import { pageOfTenant } from './tenant-page.ts';

/** Up to this many tasks since a time are counted by the index. */
const MOST_COUNTED = 1000;
const IN_ORDER = 'ORDER BY status_time DESC, id DESC';

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
    const plain = { ...this.#dialect, text: (sql: string) => sql };
    const usual =
      query.owner === undefined ? byContext(listStatements(plain, query), query) : listStatements(plain, query);
    const everyones = isOfEveryone(query) ? pageOfEveryone(plain, query) : usual.page;
    const page = isOfTenant(query) ? pageOfTenant(plain, query, everyones) : everyones;
    const total = totalOfEveryone(query) ?? totalSince(plain, query) ?? usual.total;
    const sql = this.#dialect.text(`SELECT total.total, page.* FROM (${total.sql}) AS total
      LEFT JOIN LATERAL (${page.sql}) AS page ON true ORDER BY page.status_time DESC, page.id DESC`);
    const rows = await this.#connections.read<PageColumns>(sql, nameCells([...total.cells, ...page.cells]));
    const heads = rows.flatMap(({ key, ...row }) => (key === null ? [] : [toHead({ ...row, key })]));
    return { heads, total: Number(rows[0]?.total ?? 0) };
  }
}

/**
 * Keeps a query of all owners' tasks in one context and state off the index of states: the context has few of them, and
 * the state may have nearly all. A condition that no index has leaves that of contexts.
 */
function byContext({ page, total }: ListStatements, { contextId, state }: ListQuery): ListStatements {
  if (contextId === undefined || state === undefined) return { page, total };
  const withoutIndex = ({ sql, cells }: BoundStatement) => ({
    sql: sql.replace('state = ?', 'state IS NOT DISTINCT FROM ?'),
    cells,
  });
  return { page: withoutIndex(page), total: withoutIndex(total) };
}

/** True where operators look at the tasks of one tenant's owners, in all contexts. */
function isOfTenant({ owner, tenant, contextId }: ListQuery): boolean {
  return owner === undefined && tenant !== undefined && contextId === undefined;
}

/** True where operators look at the tasks of all owners, in every state. */
function isOfEveryone({ owner, contextId, state }: ListQuery): boolean {
  return owner === undefined && contextId === undefined && state === undefined;
}

/**
 * A page of each state, and of them the first ones. So one index serves operators with and without a state, where a second one
 * would be written with every change of a status.
 */
function pageOfEveryone(plain: SqlDialect, query: ListQuery): BoundStatement {
  const pages = TASK_STATES.map((state) => listStatements(plain, { ...query, state }).page);
  return {
    sql: `SELECT * FROM (${pages.map(({ sql }) => `(${sql})`).join(' UNION ALL ')}) AS pages
      ORDER BY status_time DESC, id DESC LIMIT ?`,
    cells: [...pages.flatMap(({ cells }) => cells), query.limit],
  };
}

/** The number of tasks of all owners, where a count of them is kept. */
function totalOfEveryone({
  agent,
  owner,
  tenant,
  contextId,
  state,
  statusSince,
}: ListQuery): BoundStatement | undefined {
  if (owner !== undefined || tenant !== undefined || contextId !== undefined || statusSince !== undefined)
    return undefined;
  const sql = 'SELECT sum(tasks) AS total FROM agent_counts WHERE agent = ?';
  return state === undefined ? { sql, cells: [agent] } : { sql: `${sql} AND state = ?`, cells: [agent, state] };
}

/**
 * The number of tasks since a time. Up to a bound they are counted; beyond it those before that time are, and taken off the
 * count that is kept: whoever asks since a moment ago, or since for ever, has few to count.
 */
function totalSince(plain: SqlDialect, query: ListQuery): BoundStatement | undefined {
  const { contextId, statusSince, ...others } = query;
  if (statusSince === undefined || contextId !== undefined) return undefined;
  const kept = totalOfEveryone(others) ?? listStatements(plain, others).total;
  const states = isOfEveryone(query) ? TASK_STATES.map((state) => ({ ...query, state })) : [query];
  const since = states.map((each) => listStatements(plain, each).total);
  // In their order, so that they come from the index and not from the beginning of the table.
  const matches = since
    .map(({ sql }) => `(${sql.replace('SELECT count(*) AS total', 'SELECT 1')} ${IN_ORDER} LIMIT ${MOST_COUNTED + 1})`)
    .join(' UNION ALL ');
  const counted = `SELECT count(*) AS tasks FROM (SELECT 1 FROM (${matches}) AS matches LIMIT ${MOST_COUNTED + 1}) AS matched`;
  const before = since.map(({ sql }) => `(${sql.replace('status_time >= ?', 'status_time < ?')})`).join(' + ');
  const cells = since.flatMap((statement) => statement.cells);
  return {
    sql: `SELECT CASE WHEN counted.tasks <= ${MOST_COUNTED} THEN counted.tasks ELSE (${kept.sql}) - (${before}) END AS total
      FROM (${counted}) AS counted`,
    cells: [...kept.cells, ...cells, ...cells],
  };
}
