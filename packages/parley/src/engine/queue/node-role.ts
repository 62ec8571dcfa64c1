import type { Store } from '../ports.ts';

/**
 * The part of the work that a node of a shared store does: `all`; `front` for one that serves requests and runs nothing; `worker` for
 * one that is there for what waits.
 */
export type NodeRole = 'all' | 'front' | 'worker';

export const NODE_ROLES: readonly NodeRole[] = ['all', 'front', 'worker'];

/** What a front takes would wait for ever where no other node can find it. */
export function requireRole(role: NodeRole, { exclusive, queue }: Pick<Store, 'exclusive' | 'queue'>): void {
  if (!NODE_ROLES.includes(role)) throw new TypeError(`A role is ${NODE_ROLES.join(', ')}, not ${String(role)}`);
  if (role !== 'front' || (!exclusive && queue)) return;
  throw new TypeError('A front runs nothing, so it needs a store with a queue that other nodes share');
}

/** Names a node, so that operators and other nodes can tell its role. */
export function nodeName(role: NodeRole, id: string): string {
  return role === 'all' ? id : `${role}-${id}`;
}

/** Whether a node of this name runs what waits. */
export function isWorker(name: string): boolean {
  return !name.startsWith('front-');
}
