import { type SqlDialect, writeFor } from './dialect.ts';
import type { TaskRow } from './entry-rows.ts';
import { COUNT_TASKS } from './task-counts.ts';

/** The facts of a task that a commit checks: a row of the statement `held`. */
export interface HeldTask {
  readonly key: number;
  readonly seq: number;
  readonly lease_number: number;
  readonly lease_node: string | null;
  readonly state: string;
  readonly status_time: number;
}

/** The cells of the columns of a task that no index knows, in the order of the statements. */
export function plainCells(task: TaskRow) {
  const { leaseNumber, seq, consumed, asking, openFrom, status, metadata } = task;
  return [leaseNumber, seq, consumed, asking, openFrom, status, metadata] as const;
}

const PLAIN = 'lease_number = ?, seq = ?, consumed = ?, asking = ?, open_from = ?, status = ?, metadata = ?';

export function writeStatements(dialect: SqlDialect) {
  return writeFor(dialect, {
    held: 'SELECT key, seq, lease_number, lease_node, state, status_time FROM tasks WHERE id = ?',
    insertTask: `INSERT INTO tasks (id, agent, tenant, subject, context_id, created_at, state, status_time, lease_node,
        lease_number, seq, consumed, asking, open_from, status, metadata)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
    /** Leaves indexed columns alone, because a database rewrites the index entry of each column that is set. */
    updateTask: `UPDATE tasks SET ${PLAIN} WHERE key = ?`,
    moveTask: `UPDATE tasks SET state = ?, status_time = ?, lease_node = ?, ${PLAIN} WHERE key = ?`,
    log: 'INSERT INTO log (task, seq_from, seq_to, kinds, body) VALUES (?, ?, ?, ?, ?)',
    artifact: `INSERT INTO artifacts (task, id, position, seq, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (task, id) DO UPDATE SET position = excluded.position, seq = excluded.seq, body = excluded.body`,
    useContext: `INSERT INTO contexts (tenant, subject, id, created_at, last_task_at, tasks) VALUES (?, ?, ?, ?, ?, 1)
      ON CONFLICT (tenant, subject, id) DO UPDATE SET last_task_at = excluded.last_task_at, tasks = contexts.tasks + 1`,
    journal: 'INSERT INTO journal (task, number, seq, body) VALUES (?, ?, ?, ?)',
    takenKey: 'SELECT 1 FROM keys WHERE tenant = ? AND subject = ? AND agent = ? AND key = ? AND expires_at > ?',
    key: `INSERT INTO keys (tenant, subject, agent, key, expires_at, digest, task_id, message_seq, reply)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant, subject, agent, key) DO UPDATE SET expires_at = excluded.expires_at,
        digest = excluded.digest, task_id = excluded.task_id, message_seq = excluded.message_seq, reply = excluded.reply`,
    /** Expired values stay expired until they are swept. */
    touchContext: `UPDATE context_state SET expires_at = ${dialect.greatest('expires_at', '? + lifetime')}
      WHERE tenant = ? AND subject = ? AND agent = ? AND context_id = ? AND expires_at > ?`,
    keep: `INSERT INTO context_state (tenant, subject, agent, context_id, key, value, expires_at, lifetime)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant, subject, agent, context_id, key)
      DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at, lifetime = excluded.lifetime`,
    drop: 'DELETE FROM context_state WHERE tenant = ? AND subject = ? AND agent = ? AND context_id = ? AND key = ?',
    count: COUNT_TASKS,
  });
}
