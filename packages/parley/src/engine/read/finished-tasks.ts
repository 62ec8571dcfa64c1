import { isTerminal } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import { sizeOfTask } from '../log/sizes.ts';
import type { TaskHead } from '../ports.ts';

/** A task as callers see it, with what must be known before one may. */
export interface FoldedTask {
  readonly head: TaskHead;
  readonly task: Task;
}

/**
 * Tasks that have ended and were asked for lately, so that who polls them does not go to the store each time. Nothing
 * changes a task that has ended, until it is purged. It is given out frozen, which tells others that they may keep what
 * they make of it.
 *
 * There are two generations: when the younger one has half of the room, it becomes the older one and the older one is
 * dropped. What is asked for again moves to the younger. That costs less than a strict order of use.
 */
export class FinishedTasks {
  readonly #mostBytes: number;
  #younger: Map<string, FoldedTask> = new Map();
  #older: Map<string, FoldedTask> = new Map();
  #youngerBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(taskId: string): FoldedTask | undefined {
    const young = this.#younger.get(taskId);
    if (young) return young;
    const old = this.#older.get(taskId);
    if (old) this.#keep(old);
    return old;
  }

  /** Keeps it if it has ended and is not too large. */
  offer(folded: FoldedTask): void {
    if (isTerminal(folded.task.status.state)) this.#keep(folded);
  }

  /** It is no longer there. */
  forget(taskId: string): void {
    this.#younger.delete(taskId);
    this.#older.delete(taskId);
  }

  #keep(folded: FoldedTask): void {
    const size = sizeOfTask(folded.task);
    const half = this.#mostBytes / 2;
    if (size > half / 8) return;
    if (this.#youngerBytes + size > half) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#youngerBytes = 0;
    }
    Object.freeze(folded.task);
    this.#younger.set(folded.head.id, folded);
    this.#youngerBytes += size;
  }
}
