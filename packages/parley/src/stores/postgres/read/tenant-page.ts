import type { ListQuery } from '../../../engine/ports.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { type BoundStatement, listStatements } from '../../sql/list-query.ts';
import { nameCell } from '../../sql/names.ts';

/** A tenant is small that has no more tasks than this. */
const MOST_SORTED = 1000;

/**
 * A page of one tenant's tasks, for operators. The tasks of a small tenant are all looked at, in the tenant's part of an index,
 * and sorted; those of a large one are found among the tasks of all, in their order. The kept counts tell which of both when the
 * statement runs: its plan is made once for all tenants.
 *
 * @param everyone the page of all tenants' tasks, less those of others
 */
export function pageOfTenant(plain: SqlDialect, query: ListQuery, everyone: BoundStatement): BoundStatement {
  const { agent, tenant = '' } = query;
  const sorted = sortedPage(plain, query);
  const count = '(SELECT coalesce(sum(tasks), 0) FROM counts WHERE agent = ? AND tenant = ?)';
  const cells = [agent, nameCell(tenant)];
  return {
    sql: `SELECT * FROM (${everyone.sql}) AS among WHERE ${count} > ${MOST_SORTED}
      UNION ALL SELECT * FROM (${sorted.sql}) AS sorted WHERE ${count} <= ${MOST_SORTED}`,
    cells: [...everyone.cells, ...cells, ...sorted.cells, ...cells],
  };
}

/**
 * The index of states, whose order is that of the page, must not be taken: a condition that no index has leaves the tenant's part.
 * The tasks of the page are then fetched one by one (\`OFFSET 0\`): nobody who plans knows how few they are.
 */
function sortedPage(plain: SqlDialect, query: ListQuery): BoundStatement {
  const { page } = listStatements(plain, query);
  const columns = page.sql.slice('SELECT '.length, page.sql.indexOf(' FROM'));
  const ids = page.sql
    .replace('state = ?', 'state IS NOT DISTINCT FROM ?')
    .replace(/^SELECT .*? FROM/, 'SELECT id AS own_id FROM');
  return {
    sql: `SELECT found.* FROM (${ids}) AS own, LATERAL (SELECT ${columns} FROM tasks WHERE id = own.own_id OFFSET 0) AS found`,
    cells: page.cells,
  };
}
