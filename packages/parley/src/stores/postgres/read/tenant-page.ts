import type { ListQuery } from '../../../engine/ports.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { type BoundStatement, listStatements } from '../../sql/list-query.ts';
import { nameCell } from '../../sql/names.ts';

/** A tenant is large that has one of so many tasks. */
const LARGE_SHARE = 20;

/**
 * A page of one tenant's tasks, for operators. The tasks of a large tenant are found among those of all, in their order; those
 * of a small one are all looked at, in the tenant's part of an index, and sorted. Which of both it is the kept counts tell when
 * the statement runs: a plan is made once for all tenants, and either way alone would read nearly every task for some of them.
 *
 * @param everyone the page of all tenants' tasks, less those of others
 */
export function pageOfTenant(plain: SqlDialect, query: ListQuery, everyone: BoundStatement): BoundStatement {
  const { agent, tenant = '', state } = query;
  const sorted = sortedPage(plain, query);
  const [ofState, states] = state === undefined ? ['', []] : [' AND state = ?', [state]];
  const own = `(SELECT sum(tasks) FROM counts WHERE agent = ? AND tenant = ?${ofState})`;
  const all = `(SELECT sum(tasks) FROM agent_counts WHERE agent = ?${ofState})`;
  const size = `(SELECT coalesce(${own} * ${LARGE_SHARE} >= ${all}, false))`;
  const cells = [agent, nameCell(tenant), ...states, agent, ...states];
  return {
    sql: `SELECT * FROM (${everyone.sql}) AS among WHERE ${size} UNION ALL SELECT * FROM (${sorted.sql}) AS sorted WHERE NOT ${size}`,
    cells: [...everyone.cells, ...cells, ...sorted.cells, ...cells],
  };
}

/** The index of states, whose order is that of the page, must not be taken: a condition that no index has leaves the tenant's part. */
function sortedPage(plain: SqlDialect, query: ListQuery): BoundStatement {
  const { page } = listStatements(plain, query);
  const inner = page.sql
    .replace('state = ?', 'state IS NOT DISTINCT FROM ?')
    .replace(/^SELECT .*? FROM/, 'SELECT id FROM');
  const columns = page.sql.slice('SELECT '.length, page.sql.indexOf(' FROM'));
  return { sql: `SELECT ${columns} FROM tasks WHERE id IN (${inner})`, cells: page.cells };
}
