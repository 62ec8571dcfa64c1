import type { Task, TaskContext } from 'parley-a2a';
import { ownerIn } from './side-mark.ts';

/** A pair by all that tells it from others: two callers may have a context of the same id, and neither is in the other's. */
export interface PairName {
  readonly tenant: string;
  /** The subject whose context it is; '' where callers are not told apart. */
  readonly owner: string;
  readonly contextId: string;
}

/** The pair of a context where callers are not told apart. */
export function openPair(contextId: string): PairName {
  return { tenant: '', owner: '', contextId };
}

export function keyOf({ tenant, owner, contextId }: PairName): string {
  return JSON.stringify([tenant, owner, contextId]);
}

/** The pair of a task that has a place in one. */
export function nameOfTask(task: Task): PairName {
  return { ...openPair(task.contextId), owner: ownerIn(task) ?? '' };
}

/** The pair that a run is part of. A caller whom the context is shared with finds its owner in the tasks before its own. */
export async function nameOfRun(task: TaskContext): Promise<PairName> {
  const { tenant, subject } = task.user;
  const { contextId } = task;
  if (subject === '') return { tenant, owner: '', contextId };
  const own = ownerIn(task);
  if (own !== undefined) return { tenant, owner: own, contextId };
  const before = await task.context.tasks({ limit: 100 });
  return { tenant, owner: before.map(ownerIn).find((one) => one !== undefined) ?? subject, contextId };
}
