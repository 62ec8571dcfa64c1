import type { PurgeQuery } from '../../../engine/ports.ts';
import { COUNT_TASKS, type CountedTask, TaskCounts } from '../../sql/task-counts.ts';
import type { Database } from '../file/driver.ts';

/** What must be known of a task to remove all traces of it. */
interface EndedTask extends CountedTask {
  readonly key: number;
  readonly id: string;
  readonly context_id: string;
  readonly state: string;
}

/** So many rows of the log are removed at once, and the rest of the last task's: a commit may be waiting. */
const MOST_ROWS = 1000;

/** Removes tasks that have ended, inside a transaction of the writer. */
export class Purge {
  readonly #statements: PurgeStatements;

  constructor(database: Database) {
    this.#statements = preparePurgeStatements(database);
  }

  run({ endedBefore, taskId, limit }: PurgeQuery): readonly string[] {
    const { ended, endedTask } = this.#statements;
    const tasks = taskId === undefined ? ended.all(endedBefore, limit) : endedTask.all(taskId, endedBefore);
    const counts = new TaskCounts();
    const removed: string[] = [];
    let rows = 0;
    for (const task of tasks) {
      rows += this.#remove(task);
      counts.add(task, task.state, -1);
      removed.push(task.id);
      if (rows >= MOST_ROWS) break;
    }
    for (const cells of counts.rows()) this.#statements.count.run(...cells);
    for (const owner of counts.owners) this.#statements.dropCounts.run(...owner);
    return removed;
  }

  /** Contexts whose last task went while they still kept something. */
  sweepContexts(): void {
    this.#statements.sweepContexts.run();
  }

  #remove({ key, id, tenant, context_id }: EndedTask): number {
    const { log, artifacts, journal, keys, task, leaveContext, dropContext } = this.#statements;
    const { changes } = log.run(key);
    artifacts.run(key);
    journal.run(key);
    keys.run(id);
    task.run(key);
    leaveContext.run(tenant, context_id);
    dropContext.run(tenant, context_id);
    return Number(changes);
  }
}

type PurgeStatements = ReturnType<typeof preparePurgeStatements>;

function preparePurgeStatements(database: Database) {
  const columns = 'key, id, agent, tenant, subject, context_id, state';
  const hasEnded = `lease_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected') AND status_time < ?`;
  const isLeft = `tasks = 0 AND NOT EXISTS
    (SELECT 1 FROM context_state WHERE context_state.tenant = contexts.tenant AND context_id = contexts.id)`;
  return {
    ended: database.prepare<EndedTask>(
      `SELECT ${columns} FROM tasks INDEXED BY tasks_ended WHERE ${hasEnded} ORDER BY status_time LIMIT ?`,
    ),
    endedTask: database.prepare<EndedTask>(`SELECT ${columns} FROM tasks WHERE id = ? AND ${hasEnded}`),
    log: database.prepare('DELETE FROM log WHERE task = ?'),
    artifacts: database.prepare('DELETE FROM artifacts WHERE task = ?'),
    journal: database.prepare('DELETE FROM journal WHERE task = ?'),
    keys: database.prepare('DELETE FROM keys WHERE task_id = ?'),
    task: database.prepare('DELETE FROM tasks WHERE key = ?'),
    leaveContext: database.prepare('UPDATE contexts SET tasks = tasks - 1 WHERE tenant = ? AND id = ?'),
    dropContext: database.prepare(`DELETE FROM contexts WHERE tenant = ? AND id = ? AND ${isLeft}`),
    sweepContexts: database.prepare(`DELETE FROM contexts INDEXED BY contexts_without_tasks WHERE ${isLeft}`),
    count: database.prepare(COUNT_TASKS),
    /** Nobody is counted who has no tasks: there may be ever new callers. */
    dropCounts: database.prepare('DELETE FROM counts WHERE agent = ? AND tenant = ? AND subject = ? AND tasks = 0'),
  };
}
