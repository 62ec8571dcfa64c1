import type { PurgeQuery } from '../../../engine/ports.ts';
import { type EndedTask, purgeStatements } from '../../sql/purge-statements.ts';
import { TaskCounts } from '../../sql/task-counts.ts';
import { type Database, prepareAll } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

/** So many rows of the log are removed at once, and the rest of the last task's: a commit may be waiting. */
const MOST_ROWS = 1000;

/** Removes tasks that have ended, inside a transaction of the writer. */
export class Purge {
  readonly #statements: PurgeStatements;

  constructor(database: Database) {
    this.#statements = preparePurgeStatements(database);
  }

  run({ endedBefore, taskId, keepsUntold, limit }: PurgeQuery): readonly string[] {
    const { ended, endedTask, told, toldTask } = this.#statements;
    const [any, one] = keepsUntold ? [told, toldTask] : [ended, endedTask];
    const tasks = taskId === undefined ? any.all(endedBefore, limit) : one.all(taskId, endedBefore);
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

  #remove({ key, id, tenant, subject, context_id }: EndedTask): number {
    const { log, artifacts, journal, keys, pushConfigs, cursors, task, leaveContext, dropContext } = this.#statements;
    const { changes } = log.run(key);
    artifacts.run(key);
    journal.run(key);
    keys.run(id);
    pushConfigs.run(id);
    cursors.run(id);
    task.run(key);
    leaveContext.run(tenant, subject, context_id);
    dropContext.run(tenant, subject, context_id);
    return Number(changes);
  }
}

type PurgeStatements = ReturnType<typeof preparePurgeStatements>;

function preparePurgeStatements(database: Database) {
  const { ended, endedTask, told, toldTask, ...writing } = purgeStatements(SQLITE);
  return {
    ended: database.prepare<EndedTask>(ended),
    endedTask: database.prepare<EndedTask>(endedTask),
    told: database.prepare<EndedTask>(told),
    toldTask: database.prepare<EndedTask>(toldTask),
    ...prepareAll(database, writing),
  };
}
