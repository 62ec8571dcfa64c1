import type { ListQuery } from '../../../engine/ports.ts';
import { HEAD_COLUMNS } from '../../sql/columns.ts';
import type { Cell } from '../../sql/dialect.ts';
import { type BoundStatement, type ListStatements, listStatements } from '../../sql/list-query.ts';
import { nameCell } from '../../sql/names.ts';
import { SQLITE } from '../file/sql.ts';

/** Up to this many callers, each is asked for a page; beyond, the agent's part of an index is sorted. */
export const MOST_CALLERS = 64;

const ANYBODY = { tenant: '', subject: '' };
const OF_ONE = 'tenant = ? AND subject = ?';
const OF_EACH = 'tenant = callers.tenant AND subject = callers.subject';
const IN_ORDER = 'ORDER BY status_time DESC, id DESC';

/** The statement that counts the callers of a list, up to one more than `MOST_CALLERS`: its row has the column `total`. */
export function countCallers(query: ListQuery): BoundStatement {
  const { sql, cells } = callersOf(query);
  return { sql: `SELECT count(*) AS total FROM (${sql} LIMIT ${MOST_CALLERS + 1})`, cells };
}

/**
 * A list of the tasks of all callers, for operators, where there are few callers: the first page of each, and of those the first
 * ones. The indexes begin with the caller, and one that did not would be written with every change of a status.
 */
export function statementsOfEveryone(query: ListQuery): ListStatements {
  const callers = callersOf(query);
  const each = listStatements(SQLITE, { ...query, owner: ANYBODY });
  const page = ofEach(each.page);
  const keys = page.sql.replace(`SELECT ${HEAD_COLUMNS}`, 'SELECT key');
  const first = `SELECT found.key FROM (${callers.sql}) AS callers CROSS JOIN tasks AS found
    WHERE found.key IN (${keys}) ORDER BY found.status_time DESC, found.id DESC LIMIT ?`;
  return {
    page: {
      sql: `SELECT ${HEAD_COLUMNS} FROM tasks WHERE key IN (${first}) ${IN_ORDER}`,
      cells: [...callers.cells, ...page.cells, query.limit],
    },
    total: totalOf(query, callers, ofEach(each.total)),
  };
}

/** Counts are kept for each caller and state; what else is filtered by is counted by the index, caller by caller. */
function totalOf(query: ListQuery, callers: BoundStatement, each: BoundStatement): BoundStatement {
  if (query.contextId === undefined && query.statusSince === undefined) return listStatements(SQLITE, query).total;
  return {
    sql: `SELECT sum((${each.sql})) AS total FROM (${callers.sql}) AS callers`,
    cells: [...each.cells, ...callers.cells],
  };
}

function callersOf({ agent, tenant }: ListQuery): BoundStatement {
  const sql = 'SELECT DISTINCT tenant, subject FROM counts WHERE agent = ?';
  return tenant === undefined
    ? { sql, cells: [agent] }
    : { sql: `${sql} AND tenant = ?`, cells: [agent, nameCell(tenant)] };
}

/** The statement about one caller as one about each; the cells of the caller come after that of the agent. */
function ofEach({ sql, cells }: BoundStatement): BoundStatement {
  const [agent, , , ...others] = cells as readonly [Cell, Cell, Cell, ...Cell[]];
  return { sql: sql.replace(OF_ONE, OF_EACH), cells: [agent, ...others] };
}
