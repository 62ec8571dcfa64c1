import type { PushConfigQuery } from '../../engine/ports.ts';
import { type SqlDialect, writeFor } from './dialect.ts';
import { PUSH_COLUMNS } from './follower-rows.ts';
import type { BoundStatement } from './list-query.ts';
import { nameCell } from './names.ts';

/** Numbers are cast, because a parameter of a SELECT has no type of its own everywhere. */
const NUMBER = 'CAST(? AS BIGINT)';
const TASK_EXISTS = 'EXISTS (SELECT 1 FROM tasks WHERE tasks.id = ?)';

export function followerStatements(dialect: SqlDialect) {
  return writeFor(dialect, {
    push: `SELECT ${PUSH_COLUMNS} FROM push_configs WHERE task_id = ? AND id = ?`,
    putPush: `INSERT INTO push_configs (${PUSH_COLUMNS})
      SELECT ?, ?, ?, ?, ${NUMBER}, ${NUMBER}, ?, ? WHERE ${TASK_EXISTS}
      ON CONFLICT (task_id, id) DO UPDATE SET tenant = excluded.tenant, subject = excluded.subject,
        since = excluded.since, created_at = excluded.created_at, dialect = excluded.dialect, body = excluded.body`,
    deletePush: 'DELETE FROM push_configs WHERE task_id = ? AND id = ?',
    deleteOwnPush: 'DELETE FROM push_configs WHERE task_id = ? AND id = ? AND tenant = ? AND subject = ?',
    cursor: 'SELECT seq, lease_number, lease_node, details FROM cursors WHERE task_id = ? AND follower = ?',
    createCursor: `INSERT INTO cursors (task_id, follower, seq, lease_number, lease_node, details)
      SELECT ?, ?, ${NUMBER}, ${NUMBER}, ?, ? WHERE ${TASK_EXISTS} ON CONFLICT (task_id, follower) DO NOTHING`,
    moveCursor: `UPDATE cursors SET seq = ?, lease_number = ?, lease_node = ?, details = ?
      WHERE task_id = ? AND follower = ? AND lease_number = ?`,
    deleteCursor: 'DELETE FROM cursors WHERE task_id = ? AND follower = ?',
    value: 'SELECT value FROM kept_values WHERE name = ?',
    keepValue: 'INSERT INTO kept_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  });
}

/** Builds the statement of one page of push configs, of which there are twelve different texts. */
export function pushPage(
  { text }: SqlDialect,
  { taskId, owner, tenant, after, limit }: PushConfigQuery,
): BoundStatement {
  const conditions: BoundStatement[] = [];
  if (taskId !== undefined) conditions.push({ sql: 'task_id = ?', cells: [taskId] });
  if (owner) {
    conditions.push({ sql: 'tenant = ? AND subject = ?', cells: [nameCell(owner.tenant), nameCell(owner.subject)] });
  } else if (tenant !== undefined) {
    conditions.push({ sql: 'tenant = ?', cells: [nameCell(tenant)] });
  }
  if (after) conditions.push({ sql: '(task_id, id) > (?, ?)', cells: [after.taskId, nameCell(after.id)] });
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return {
    sql: text(`SELECT ${PUSH_COLUMNS} FROM push_configs ${where} ORDER BY task_id, id LIMIT ?`),
    cells: [...conditions.flatMap(({ cells }) => cells), limit],
  };
}
