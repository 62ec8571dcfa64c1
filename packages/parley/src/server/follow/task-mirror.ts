import { encodeTaskRecord } from '../../dialects/task-record.ts';
import { type StatusMessageRule, TaskFold } from '../../engine/log/task-fold.ts';
import { systemClock } from '../../engine/node/clock.ts';
import type { Clock, CommitEntry, CommitResult, Logger, PurgeQuery, Store, TaskCommit } from '../../engine/ports.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import { memory } from '../../stores/memory.ts';
import { withStore } from '../../stores/with-store.ts';
import type { TaskStore } from './task-store.ts';

export interface TaskMirrorOptions {
  /** Where the log of the tasks is. Default: in memory. */
  readonly store?: Store | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly statusMessage?: StatusMessageRule | undefined;
}

/** A store of a server that keeps a task store of yours up to date. */
export interface MirroredStore extends Store {
  /** Resolves when the task store has all that was committed by now, or cannot be written to. */
  mirrored(): Promise<void>;
}

/**
 * A store whose tasks also stand in a task store (S3.5). Each task is written there as it is, after the commit: many
 * commits in a row are one write, writes of one task follow each other, and none of them is waited for. What fails is
 * logged and tried again; when the server closes, once more.
 *
 * @example
 * new A2AServer({ agents, store: fromTaskStore(mine, { store: sqlite('parley.db') }) });
 */
export function fromTaskStore(taskStore: TaskStore, options: TaskMirrorOptions = {}): MirroredStore {
  const store = options.store ?? memory();
  const mirror = new TaskMirror(taskStore, { ...options, store });
  const note = (entries: readonly CommitEntry[], results: readonly CommitResult[]) => {
    for (const [index, entry] of entries.entries()) {
      if (entry.kind === 'task' && results[index] === 'ok') mirror.note(entry);
    }
    return results;
  };
  return withStore(store, {
    close: async () => {
      await mirror.close();
      await store.close();
    },
    commit: (entries: readonly CommitEntry[]) => {
      const results = store.commit(entries);
      return results instanceof Promise ? results.then((later) => note(entries, later)) : note(entries, results);
    },
    purge: async (query: PurgeQuery) => {
      const removed = await store.purge(query);
      mirror.removed(removed);
      return removed;
    },
    mirrored: () => mirror.caughtUp(),
  });
}

const EVERYTHING = { history: true, artifacts: true };
const AT_ONCE = 8;
const BETWEEN_WRITES = 100;
const FIRST_DELAY = 100;
const LONGEST_DELAY = 10_000;

/** A task that the task store does not have as it is. */
interface Stale {
  /** The task store cannot have it at all yet. */
  isNew: boolean;
  /** It has changed since its last write began. */
  isChanged: boolean;
  writing: Promise<void> | undefined;
  /** How often it was written. */
  writes: number;
  /** How often its write has failed in a row. */
  failures: number;
  /** Ends the wait for another write. */
  stopWaiting: (() => void) | undefined;
}

function changedTask(isNew: boolean): Stale {
  return { isNew, isChanged: true, writing: undefined, writes: 0, failures: 0, stopWaiting: undefined };
}

class TaskMirror {
  readonly #target: TaskStore;
  readonly #store: Store;
  readonly #log: Logger | undefined;
  readonly #clock: Clock;
  readonly #rule: StatusMessageRule;
  readonly #stale = new Map<string, Stale>();
  #isDue = false;
  #isClosing = false;

  constructor(target: TaskStore, { store, log, clock, statusMessage }: TaskMirrorOptions & { readonly store: Store }) {
    this.#target = target;
    this.#store = store;
    this.#log = log;
    this.#clock = clock ?? systemClock;
    this.#rule = statusMessage ?? 'agent';
  }

  note({ head: { id, status }, expectedSeq }: TaskCommit): void {
    const stale = this.#changed(id, expectedSeq === 0);
    if (isTerminal(status.state) || isInterrupted(status.state)) this.#endPause(stale);
    this.#schedule();
  }

  /** These are not in the store any more, and are to go here as well. */
  removed(taskIds: readonly string[]): void {
    for (const id of taskIds) this.#endPause(this.#changed(id, false));
    if (taskIds.length > 0) this.#schedule();
  }

  #changed(taskId: string, isNew: boolean): Stale {
    const stale = this.#stale.get(taskId) ?? changedTask(isNew);
    stale.isChanged = true;
    this.#stale.set(taskId, stale);
    return stale;
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // Later than the commit, so that what follows at once is in the same write, and readers are told first.
    this.#clock.nextTurn(() => this.#writeDue());
  }

  /** A task that goes on changing is not waited for beyond what it is now. */
  async caughtUp(): Promise<void> {
    const awaited = new Map(
      [...this.#stale.values()].map((stale) => [
        stale,
        stale.writes + Number(!!stale.writing) + Number(stale.isChanged),
      ]),
    );
    for (;;) {
      for (const [stale, writes] of awaited) {
        if (stale.writes >= writes || (stale.failures > 0 && !stale.writing)) awaited.delete(stale);
        else this.#endPause(stale);
      }
      this.#writeDue();
      const writing = [...this.#stale.values()].flatMap((stale) => stale.writing ?? []);
      if (awaited.size === 0 || writing.length === 0) return;
      await Promise.race(writing);
    }
  }

  /** Writes what is left, what has failed before included; what fails now is given up. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const stale of this.#stale.values()) {
      stale.failures = 0;
      this.#endPause(stale);
    }
    await this.caughtUp();
  }

  /** Goes on at once where nothing but time was waited for; what has failed keeps its distance. */
  #endPause(stale: Stale): void {
    if (stale.failures > 0) return;
    stale.stopWaiting?.();
    stale.stopWaiting = undefined;
  }

  #pause(stale: Stale, milliseconds: number): void {
    stale.stopWaiting = this.#clock.after(milliseconds, () => {
      stale.stopWaiting = undefined;
      this.#writeDue();
    });
  }

  #writeDue(): void {
    this.#isDue = false;
    let room = AT_ONCE;
    for (const { writing } of this.#stale.values()) if (writing) room -= 1;
    for (const [taskId, stale] of this.#stale) {
      if (room <= 0) return;
      if (stale.writing || stale.stopWaiting) continue;
      if (!stale.isChanged) {
        this.#stale.delete(taskId);
        continue;
      }
      stale.isChanged = false;
      stale.writing = this.#write(taskId, stale).then(
        () => this.#written(stale),
        (error: unknown) => this.#failed(taskId, stale, error),
      );
      room -= 1;
    }
  }

  async #write(taskId: string, { isNew, failures }: Stale): Promise<void> {
    const [stored] = await this.#store.load([taskId], EVERYTHING);
    if (!stored) return this.#target.delete(taskId);
    const task = encodeTaskRecord(TaskFold.restore(stored, this.#rule).snapshot());
    // A write that failed may have been done all the same.
    const isThere = (!isNew || failures > 0) && (await this.#target.get(taskId)) !== null;
    await (isThere ? this.#target.update(taskId, task) : this.#target.create(task));
  }

  #written(stale: Stale): void {
    stale.writing = undefined;
    stale.writes += 1;
    stale.isNew = false;
    stale.failures = 0;
    // A write costs as much as the task is long, so that a task which grows is not written all the time.
    if (!this.#isClosing) this.#pause(stale, BETWEEN_WRITES);
    this.#writeDue();
  }

  #failed(taskId: string, stale: Stale, error: unknown): void {
    stale.writing = undefined;
    stale.failures += 1;
    this.#log?.error('A task could not be written to the task store', { taskId, attempt: stale.failures, error });
    if (this.#isClosing) {
      stale.isChanged = false;
    } else {
      stale.isChanged = true;
      this.#pause(stale, Math.min(FIRST_DELAY * 2 ** (stale.failures - 1), LONGEST_DELAY));
    }
    this.#writeDue();
  }
}
