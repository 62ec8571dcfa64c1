import { isTerminal } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import { sizeOfTask } from '../log/sizes.ts';
import { type StatusMessageRule, TaskFold } from '../log/task-fold.ts';
import type { Clock, LoadDetail, Store, StoredTask } from '../ports.ts';
import { FinishedTasks, type FoldedTask } from './finished-tasks.ts';
import { type Client, LargeTasks } from './large-tasks.ts';

/** The whole of a task. */
export const EVERYTHING: LoadDetail = { artifacts: true, history: true };

interface StoredTasksOptions {
  readonly store: Pick<Store, 'load'>;
  readonly clock: Pick<Clock, 'nextTurn' | 'after'>;
  readonly statusMessage: StatusMessageRule;
  /** The bytes of ended tasks that are held in memory. */
  readonly finishedBytes: number;
}

/** Tasks that nobody writes here, as callers see them: loaded when they are asked for, and held where they have ended. */
export class StoredTasks {
  readonly #options: StoredTasksOptions;
  readonly #finished: FinishedTasks;
  readonly #large: LargeTasks;
  /** The number of purges so far: a task that was loaded before one may be gone. */
  #purges = 0;

  constructor(options: StoredTasksOptions) {
    this.#options = options;
    this.#finished = new FinishedTasks(options.finishedBytes);
    this.#large = new LargeTasks(options.clock);
  }

  /** A task that is held. Who may see it is to be asked of its head. */
  held(taskId: string): FoldedTask | undefined {
    return this.#finished.get(taskId) ?? this.#large.get(taskId);
  }

  /** `client`: who waits for it; see LargeTasks. */
  async load(taskId: string, client?: Client): Promise<FoldedTask | undefined> {
    const turn = this.#large.turn(client);
    if (turn) await turn;
    let size = 0;
    try {
      const loadedMeanwhile = turn && this.held(taskId);
      if (loadedMeanwhile) return loadedMeanwhile;
      const purges = this.#purges;
      const [stored] = await this.#options.store.load([taskId], EVERYTHING);
      if (!stored) {
        this.forget(taskId);
        return undefined;
      }
      const folded = { head: stored.head, task: this.fold(stored) };
      size = sizeOfTask(folded.task);
      if (purges === this.#purges && isTerminal(folded.task.status.state)) this.#hold(folded, size);
      return folded;
    } finally {
      this.#large.loaded(size);
    }
  }

  fold(stored: StoredTask): Task {
    return TaskFold.restore(stored, this.#options.statusMessage).snapshot();
  }

  /** These are no longer in the store. */
  purged(taskIds: readonly string[]): void {
    this.#purges += 1;
    for (const taskId of taskIds) this.forget(taskId);
  }

  forget(taskId: string): void {
    this.#finished.forget(taskId);
    this.#large.forget(taskId);
  }

  /** A task that does not change any more. Frozen, it tells encoders that they may keep what they have made of it. */
  #hold(folded: FoldedTask, size: number): void {
    Object.freeze(folded.task);
    if (!this.#finished.offer(folded, size)) this.#large.hold(folded);
  }
}
