import type { TaskHead } from '../ports.ts';
import type { Actor } from './actor.ts';

/** The node that holds a task's lease, if it is not this one. */
export interface Elsewhere {
  readonly node: string;
  readonly head: TaskHead;
}

export function isElsewhere(place: Actor | Elsewhere): place is Elsewhere {
  return 'node' in place;
}
