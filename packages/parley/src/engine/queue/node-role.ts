import type { Store } from '../ports.ts';

/**
 * The part of the work that a node of a shared store does: `all`; `front` for one that serves requests and runs nothing; `worker` for
 * one that is there for what waits.
 */
export type NodeRole = 'all' | 'front' | 'worker';

export const NODE_ROLES: readonly NodeRole[] = ['all', 'front', 'worker'];

/** A message that a front takes would wait for ever if no other node could find it. */
export function requireRole(role: NodeRole, { exclusive, queue }: Pick<Store, 'exclusive' | 'queue'>): void {
  if (!NODE_ROLES.includes(role)) throw new TypeError(`A role is ${NODE_ROLES.join(', ')}, not ${String(role)}`);
  if (role !== 'front' || (!exclusive && queue)) return;
  throw new TypeError('A front runs nothing, so it needs a store with a queue that other nodes share');
}

/** Names a node, so that operators and other nodes can tell its role. */
export function nodeName(role: NodeRole, id: string): string {
  return role === 'all' ? id : `${role}-${id}`;
}

/** The role of a node, by its name. */
export function roleOf(name: string): NodeRole {
  return NODE_ROLES.find((role) => name.startsWith(`${role}-`)) ?? 'all';
}

/** Tells whether a node of this name runs turns that wait. */
export function isWorker(name: string): boolean {
  return roleOf(name) !== 'front';
}

/** The number of nodes of each role, by their names. */
export function countRoles(names: readonly string[]): ReadonlyMap<NodeRole, number> {
  const counts = new Map<NodeRole, number>(NODE_ROLES.map((role) => [role, 0]));
  for (const name of names) counts.set(roleOf(name), (counts.get(roleOf(name)) ?? 0) + 1);
  return counts;
}
