import type { Task } from '../../model/task.ts';
import { sizeOfTask } from '../log/sizes.ts';
import type { TaskHead } from '../ports.ts';

/** A task as callers see it, and its head, which says who may see it. */
export interface FoldedTask {
  readonly head: TaskHead;
  readonly task: Task;
}

/**
 * Tasks that have ended and were read lately, so that a client that polls one does not go to the store each time. A task
 * that has ended does not change until it is purged.
 *
 * There are two generations: when the younger one has half of the room, it becomes the older one and the older one is
 * dropped. A task that is read again moves to the younger. That costs less than a strict order of use.
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
    if (old) this.#keep(old, sizeOfTask(old.task));
    return old;
  }

  /** Keeps a task of this size if it is not too large; returns whether it does. Only for tasks that have ended. */
  offer(folded: FoldedTask, size: number): boolean {
    if (size > this.#mostBytes / 16) return false;
    this.#keep(folded, size);
    return true;
  }

  /** Drops a task that the store has no longer. */
  forget(taskId: string): void {
    this.#younger.delete(taskId);
    this.#older.delete(taskId);
  }

  #keep(folded: FoldedTask, size: number): void {
    const half = this.#mostBytes / 2;
    if (this.#youngerBytes + size > half) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#youngerBytes = 0;
    }
    this.#younger.set(folded.head.id, folded);
    this.#youngerBytes += size;
  }
}
