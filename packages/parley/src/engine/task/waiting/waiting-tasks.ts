import { isInterrupted } from '../../../model/states.ts';
import { sizeOfTask } from '../../log/sizes.ts';
import type { TaskFold } from '../../log/task-fold.ts';
import type { TaskLog } from '../../log/task-log.ts';

/** A task without its actor, as the next one needs it. */
export interface WaitingTask {
  readonly fold: TaskFold;
  /** The number of entries of its journal. */
  readonly recorded: number;
  /** Roughly, in bytes. */
  readonly size: number;
}

/**
 * Tasks whose turn has ended and that wait for their caller, held so that the next turn costs the same however long the
 * task is. The one that has waited longest goes first where they are too large together.
 */
export class WaitingTasks {
  readonly #mostBytes: number;
  readonly #tasks = new Map<string, WaitingTask>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Keeps the task of a log that is no longer written, if it waits for its caller and is not too large. */
  offer({ identity, fold, pending, size: known }: TaskLog): void {
    this.take(identity.id);
    if (!isInterrupted(fold.status.state) || fold.asking) return;
    const size = known ?? sizeOfTask(fold.snapshot());
    if (size > this.#mostBytes) return;
    this.#tasks.set(identity.id, { fold, recorded: pending.recorded, size });
    this.#bytes += size;
    for (const id of this.#tasks.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.take(id);
    }
  }

  /** Takes a task out; undefined where it is not held. */
  take(taskId: string): WaitingTask | undefined {
    const task = this.#tasks.get(taskId);
    if (!task) return undefined;
    this.#tasks.delete(taskId);
    this.#bytes -= task.size;
    return task;
  }
}
