import type { Owner } from '../ports.ts';

/** A task that may be at work. */
interface Worker {
  readonly isRunning: boolean;
  readonly isAsking: boolean;
}

/** The tasks of contexts that are at work on this node, for sends whose caller has a bound on them. */
export class TasksAtWork<Task extends Worker> {
  readonly #byContext = new Map<string, Set<Task>>();

  /** The number of contexts that are held. */
  get size(): number {
    return this.#byContext.size;
  }

  /** The number of tasks at work; one that waits for its caller is not. */
  count(owner: Owner, contextId: string): number {
    let count = 0;
    for (const task of this.#byContext.get(keyOf(owner, contextId)) ?? []) {
      if (task.isRunning && !task.isAsking) count += 1;
    }
    return count;
  }

  add(owner: Owner, contextId: string, task: Task): void {
    const key = keyOf(owner, contextId);
    const tasks = this.#byContext.get(key);
    if (tasks) tasks.add(task);
    else this.#byContext.set(key, new Set([task]));
  }

  remove(owner: Owner, contextId: string, task: Task): void {
    if (this.#byContext.size === 0) return;
    const key = keyOf(owner, contextId);
    const tasks = this.#byContext.get(key);
    if (tasks?.delete(task) && tasks.size === 0) this.#byContext.delete(key);
  }
}

function keyOf({ tenant, subject }: Owner, contextId: string): string {
  // With their lengths no two of them have the same key.
  return `${tenant.length}:${tenant}${subject.length}:${subject}${contextId}`;
}
