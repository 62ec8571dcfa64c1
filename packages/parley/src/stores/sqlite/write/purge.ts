import type { PurgeQuery } from '../../../engine/ports.ts';
import { type EndedTask, type EndedTasks, purgeStatements } from '../../sql/purge-statements.ts';
import { TaskCounts } from '../../sql/task-counts.ts';
import { type Database, prepareAll } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

/** The rows of the log that are removed at once, and the last task's rest: a commit may be waiting. */
const MOST_ROWS = 1000;

/** Removes tasks that have ended, inside a transaction of the writer. */
export class Purge {
  readonly #statements: PurgeStatements;

  constructor(database: Database) {
    this.#statements = preparePurgeStatements(database);
  }

  run({ endedBefore, taskId, keepsUntold, limit }: PurgeQuery): readonly string[] {
    const { endedTask, toldTask } = this.#statements;
    const one = keepsUntold ? toldTask : endedTask;
    const tasks = taskId === undefined ? this.#oldest(endedBefore, keepsUntold, limit) : one.all(taskId, endedBefore);
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

  /** Those that were trimmed come first, being older as a rule. */
  #oldest(endedBefore: number, keepsUntold: boolean | undefined, limit: number): readonly EndedTask[] {
    const { trimmed, whole } = this.#statements;
    const [first, second] = [trimmed, whole].map(({ ended, told }) => (keepsUntold ? told : ended));
    const tasks = first?.all(endedBefore, limit) ?? [];
    return tasks.length < limit ? [...tasks, ...(second?.all(endedBefore, limit - tasks.length) ?? [])] : tasks;
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

const WHOLE: EndedTasks = { index: 'tasks_ended', condition: 'trimmed = 0 AND ' };
const TRIMMED: EndedTasks = { index: 'tasks_trimmed', condition: 'trimmed = 1 AND ' };

function preparePurgeStatements(database: Database) {
  const { ended, told, endedTask, toldTask, ...writing } = purgeStatements(SQLITE, WHOLE);
  const trimmed = purgeStatements(SQLITE, TRIMMED);
  const prepare = (sql: string) => database.prepare<EndedTask>(sql);
  return {
    whole: { ended: prepare(ended), told: prepare(told) },
    trimmed: { ended: prepare(trimmed.ended), told: prepare(trimmed.told) },
    endedTask: prepare(endedTask),
    toldTask: prepare(toldTask),
    ...prepareAll(database, writing),
  };
}
