import { type SqlDialect, writeFor } from './dialect.ts';
import { COUNT_TASKS, type CountedTask } from './task-counts.ts';

/** The facts of a task that its removal needs: a row of `ended` and `endedTask`. */
export interface EndedTask extends CountedTask {
  readonly key: number;
  readonly id: string;
  readonly context_id: string;
  readonly state: string;
}

const COLUMNS = 'key, id, agent, tenant, subject, context_id, state';
export const HAS_ENDED: string = `lease_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected') AND status_time < ?`;
/** Each webhook has been told everything: its cursor, or its own place while it has none, is at the end of the log. */
export const IS_TOLD: string = `NOT EXISTS (SELECT 1 FROM push_configs LEFT JOIN cursors
    ON cursors.task_id = push_configs.task_id AND cursors.follower = push_configs.id
  WHERE push_configs.task_id = tasks.id AND COALESCE(cursors.seq, push_configs.since) < tasks.seq)`;
/** The condition of a context that has neither tasks nor values. */
export const CONTEXT_IS_LEFT: string = `tasks = 0 AND NOT EXISTS
  (SELECT 1 FROM context_state WHERE context_state.tenant = contexts.tenant
    AND context_state.subject = contexts.subject AND context_id = contexts.id)`;

/** Ended tasks of which a query finds the oldest by an index. */
export interface EndedTasks {
  readonly index: string;
  /** The condition of the index beyond that of ended tasks, with ` AND ` after it; '' for none. */
  readonly condition: string;
}

const EVERY_ENDED: EndedTasks = { index: 'tasks_ended', condition: '' };

export function purgeStatements(dialect: SqlDialect, { index, condition }: EndedTasks = EVERY_ENDED) {
  const { indexedBy } = dialect;
  const from = `FROM tasks ${indexedBy(index)} WHERE ${condition}${HAS_ENDED}`;
  return writeFor(dialect, {
    ended: `SELECT ${COLUMNS} ${from} ORDER BY status_time LIMIT ?`,
    endedTask: `SELECT ${COLUMNS} FROM tasks WHERE id = ? AND ${HAS_ENDED}`,
    told: `SELECT ${COLUMNS} ${from} AND ${IS_TOLD} ORDER BY status_time LIMIT ?`,
    toldTask: `SELECT ${COLUMNS} FROM tasks WHERE id = ? AND ${HAS_ENDED} AND ${IS_TOLD}`,
    log: 'DELETE FROM log WHERE task = ?',
    artifacts: 'DELETE FROM artifacts WHERE task = ?',
    journal: 'DELETE FROM journal WHERE task = ?',
    keys: 'DELETE FROM keys WHERE task_id = ?',
    pushConfigs: 'DELETE FROM push_configs WHERE task_id = ?',
    cursors: 'DELETE FROM cursors WHERE task_id = ?',
    task: 'DELETE FROM tasks WHERE key = ?',
    leaveContext: 'UPDATE contexts SET tasks = tasks - 1 WHERE tenant = ? AND subject = ? AND id = ?',
    dropContext: `DELETE FROM contexts WHERE tenant = ? AND subject = ? AND id = ? AND ${CONTEXT_IS_LEFT}`,
    count: COUNT_TASKS,
    /** A caller without tasks is not counted: there may be ever new callers. */
    dropCounts: 'DELETE FROM counts WHERE agent = ? AND tenant = ? AND subject = ? AND tasks = 0',
  });
}
