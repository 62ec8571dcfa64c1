import { type SqlDialect, writeFor } from './dialect.ts';
import { HAS_ENDED, IS_TOLD } from './purge-statements.ts';

/** A row of the log that is folded with its neighbours. */
export interface FoldedRow {
  readonly seq_to: number;
  readonly kinds: number;
  readonly body: string;
}

/**
 * Drops the events of a log but its last, and keeps messages and statuses in rows before the beginning (`seq_to` is
 * negative), which histories have and readers of events do not.
 */
export function trimStatements(dialect: SqlDialect) {
  const { indexedBy, isTalk } = dialect;
  return writeFor(dialect, {
    untrimmed: `SELECT key, id, seq FROM tasks ${indexedBy('tasks_ended')}
      WHERE trimmed = 0 AND ${HAS_ENDED} AND ${IS_TOLD} ORDER BY status_time LIMIT ?`,
    /** The row at an offset from the first. */
    rowAt: 'SELECT seq_to FROM log WHERE task = ? AND seq_to > 0 ORDER BY seq_to LIMIT 1 OFFSET ?',
    talkUpTo: `SELECT body FROM log ${indexedBy('log_of_talk')}
      WHERE task = ? AND seq_to > 0 AND seq_to <= ? AND ${isTalk} ORDER BY seq_to`,
    lastRow: 'SELECT body FROM log WHERE task = ? ORDER BY seq_to DESC LIMIT 1',
    dropUpTo: 'DELETE FROM log WHERE task = ? AND seq_to > 0 AND seq_to <= ?',
    insertLog: 'INSERT INTO log (task, seq_from, seq_to, kinds, body) VALUES (?, ?, ?, ?, ?)',
    markTrimmed: 'UPDATE tasks SET trimmed = 1 WHERE key = ?',
    rowsAfter: 'SELECT seq_to, kinds, body FROM log WHERE task = ? AND seq_to > ? ORDER BY seq_to',
    dropRow: 'DELETE FROM log WHERE task = ? AND seq_to = ?',
    endedByKey: `SELECT id FROM tasks WHERE key = ? AND ${HAS_ENDED}`,
    toldById: `SELECT id FROM tasks WHERE id = ? AND ${HAS_ENDED} AND ${IS_TOLD}`,
    nextJournal: 'SELECT task FROM journal WHERE task > ? ORDER BY task LIMIT 1',
    nextPush: 'SELECT task_id FROM push_configs WHERE task_id > ? ORDER BY task_id LIMIT 1',
    dropJournal: 'DELETE FROM journal WHERE task = ?',
    dropPush: 'DELETE FROM push_configs WHERE task_id = ?',
    dropCursors: 'DELETE FROM cursors WHERE task_id = ?',
  });
}
