import { HEAD_COLUMNS } from './columns.ts';
import { type SqlDialect, writeFor } from './dialect.ts';

/** All reading but lists, whose statements depend on the query. */
export function readStatements(dialect: SqlDialect) {
  const { indexedBy, isTalk } = dialect;
  return writeFor(dialect, {
    head: `SELECT ${HEAD_COLUMNS} FROM tasks WHERE id = ?`,
    bodies: 'SELECT position, seq, body FROM artifacts WHERE task = ?',
    talkBefore: `SELECT body FROM log ${indexedBy('log_of_talk')}
      WHERE task = ? AND seq_to < ? AND ${isTalk} ORDER BY seq_to`,
    logFrom: 'SELECT body FROM log WHERE task = ? AND seq_to >= ? ORDER BY seq_to',
    logAfter: `SELECT body FROM log
      WHERE task = (SELECT key FROM tasks WHERE id = ?) AND seq_to > ? ORDER BY seq_to`,
    journal: `SELECT number, seq, body FROM journal WHERE task = (SELECT key FROM tasks WHERE id = ?) ORDER BY number`,
    contextState: `SELECT key, value FROM context_state
      WHERE tenant = ? AND subject = ? AND agent = ? AND context_id = ? AND expires_at > ?`,
    key: `SELECT expires_at, digest, task_id, message_seq, reply FROM keys
      WHERE tenant = ? AND subject = ? AND agent = ? AND key = ? AND expires_at > ?`,
    runElsewhere: `SELECT ${HEAD_COLUMNS} FROM tasks ${indexedBy('tasks_run')}
      WHERE lease_node IS NOT NULL AND state IN ('submitted', 'working') AND lease_node <> ? LIMIT ?`,
    /** Tasks that wait for an answer, but not for ever. */
    waitElsewhere: `SELECT ${HEAD_COLUMNS} FROM tasks ${indexedBy('tasks_wait')}
      WHERE lease_node IS NOT NULL AND asking > 1 AND lease_node <> ? LIMIT ?`,
  });
}
