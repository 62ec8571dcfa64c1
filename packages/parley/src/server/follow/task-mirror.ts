import { encodeTaskRecord } from '../../dialects/task-record.ts';
import { acceptedTasks } from '../../engine/follow/commit-followers.ts';
import { Cursor } from '../../engine/follow/cursor.ts';
import type { RetryPolicy } from '../../engine/follow/retry.ts';
import { Slots } from '../../engine/follow/slots.ts';
import { type StatusMessageRule, TaskFold } from '../../engine/log/task-fold.ts';
import { systemClock } from '../../engine/node/clock.ts';
import type { Clock, CommitEntry, CommitResult, Logger, PurgeQuery, Store, TaskCommit } from '../../engine/ports.ts';
import { EVERYTHING } from '../../engine/read/stored-tasks.ts';
import { endsTurn } from '../../model/states.ts';
import { memory } from '../../stores/memory.ts';
import { withStore } from '../../stores/with-store.ts';
import type { TaskStore } from './task-store.ts';

export interface TaskMirrorOptions {
  /** The store that holds the log of the tasks. Default: in memory. */
  readonly store?: Store | undefined;
  /** The logger for failed writes. Default: the console. */
  readonly log?: Logger | undefined;
  /** Replaced in tests. */
  readonly clock?: Clock | undefined;
  /** The message that `status.message` shows. Default `agent`. */
  readonly statusMessageSource?: StatusMessageRule | undefined;
}

/** A store that keeps a task store of yours up to date. */
export interface MirroredStore extends Store {
  /** Resolves when the task store has everything that was committed by now, or could not be written. */
  mirrored(): Promise<void>;
}

/**
 * Makes a store whose tasks are mirrored to a task store (S3.5). Each task is written there as it is, after the commit:
 * many commits in a row are one write, writes of one task follow each other, and no commit waits for one. A write that
 * fails is logged and tried again; when the server closes, once more. A crash loses the writes that are not done: such a
 * task stays as it was in the task store until it changes again.
 *
 * @example
 * new A2AServer({ agents, store: fromTaskStore(mine, { store: sqlite('parley.db') }) });
 */
export function fromTaskStore(taskStore: TaskStore, options: TaskMirrorOptions = {}): MirroredStore {
  const store = options.store ?? memory();
  const mirror = new TaskMirror(taskStore, { ...options, store });
  const follow = (entries: readonly CommitEntry[], results: readonly CommitResult[]) => {
    mirror.follow(acceptedTasks(entries, results));
    return results;
  };
  return withStore(store, {
    close: async () => {
      await mirror.close();
      await store.close();
    },
    commit: (entries: readonly CommitEntry[]) => {
      const results = store.commit(entries);
      return results instanceof Promise ? results.then((later) => follow(entries, later)) : follow(entries, results);
    },
    purge: async (query: PurgeQuery) => {
      const removed = await store.purge(query);
      mirror.remove(removed);
      return removed;
    },
    mirrored: () => mirror.caughtUp(),
  });
}

const WRITES_AT_ONCE = 8;
/** A write costs as much as the task is long, so that a task which grows is not written all the time. */
const BETWEEN_WRITES = 100;
const RETRY: RetryPolicy = { firstDelay: 100, longestDelay: 10_000 };
/** The position of a task that has been removed: after every event. */
const REMOVED = Number.MAX_SAFE_INTEGER;

/** A task that the task store does not have as it is. Its position is the seq up to which it is written. */
interface StaleTask {
  readonly cursor: Cursor;
  goal: number;
  /** The task is at rest: readers of the task store should not wait for the pause between writes. */
  isUrgent: boolean;
  /** The task store may have it already. */
  mayExist: boolean;
}

class TaskMirror {
  readonly #target: TaskStore;
  readonly #store: Store;
  readonly #log: Logger | undefined;
  readonly #clock: Clock;
  readonly #rule: StatusMessageRule;
  readonly #slots = new Slots(WRITES_AT_ONCE);
  readonly #stale = new Map<string, StaleTask>();
  /** Those that have changed since the last turn of the loop. */
  readonly #changed = new Set<StaleTask>();

  constructor(
    target: TaskStore,
    { store, log, clock, statusMessageSource }: TaskMirrorOptions & { readonly store: Store },
  ) {
    this.#target = target;
    this.#store = store;
    this.#log = log;
    this.#clock = clock ?? systemClock;
    this.#rule = statusMessageSource ?? 'agent';
  }

  follow(commits: readonly TaskCommit[]): void {
    for (const { head, expectedSeq } of commits) {
      const task = this.#stale.get(head.id) ?? this.#add(head.id, expectedSeq > 0);
      this.#change(task, head.seq, endsTurn(head.status.state));
    }
  }

  /** Removes tasks that the store has no longer. */
  remove(taskIds: readonly string[]): void {
    for (const id of taskIds) this.#change(this.#stale.get(id) ?? this.#add(id, true), REMOVED, true);
  }

  /** Resolves when the task store has everything up to now, or could not be written. */
  async caughtUp(): Promise<void> {
    this.#write();
    await Promise.all([...this.#stale.values()].map(({ cursor }) => cursor.settled()));
  }

  /** Writes what is left, what has failed before included; what fails now is given up. */
  async close(): Promise<void> {
    this.#write();
    await Promise.all([...this.#stale.values()].map(({ cursor }) => cursor.finish()));
    this.#stale.clear();
  }

  #add(taskId: string, mayExist: boolean): StaleTask {
    const cursor = new Cursor({
      clock: this.#clock,
      slots: this.#slots,
      pause: BETWEEN_WRITES,
      retry: RETRY,
      step: () => this.#mirror(taskId, task),
      onFailure: (error, attempt) => {
        // The write may still have been done.
        task.mayExist = true;
        this.#log?.error('A task could not be written to the task store', { taskId, attempt, error });
      },
      onIdle: () => {
        if (task.goal <= cursor.position && this.#stale.get(taskId) === task) this.#stale.delete(taskId);
      },
    });
    const task: StaleTask = { cursor, goal: 0, isUrgent: false, mayExist };
    this.#stale.set(taskId, task);
    return task;
  }

  #change(task: StaleTask, goal: number, isUrgent: boolean): void {
    task.goal = Math.max(task.goal, goal);
    task.isUrgent ||= isUrgent;
    // Later than the commit, so that what follows at once is in the same write, and readers are told first.
    if (this.#changed.size === 0) this.#clock.nextTurn(() => this.#write());
    this.#changed.add(task);
  }

  #write(): void {
    for (const task of this.#changed) {
      task.cursor.wake(task.goal);
      if (task.isUrgent) task.cursor.hurry();
      task.isUrgent = false;
    }
    this.#changed.clear();
  }

  /** Writes a task as it is, and resolves with the last seq of it. */
  async #mirror(taskId: string, task: StaleTask): Promise<number> {
    const [stored] = await this.#store.load([taskId], EVERYTHING);
    if (!stored) {
      await this.#target.delete(taskId);
      return REMOVED;
    }
    const written = encodeTaskRecord(TaskFold.restore(stored, this.#rule).snapshot());
    const exists = task.mayExist && (await this.#target.get(taskId)) !== null;
    await (exists ? this.#target.update(taskId, written) : this.#target.create(written));
    task.mayExist = true;
    return stored.head.seq;
  }
}
