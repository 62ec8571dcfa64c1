import type { CommitEntry, KeyRecord } from '../engine/ports.ts';

const NONE: readonly KeyRecord[] = [];

/** The idempotency keys of an entry. */
export function keysOf(entry: CommitEntry): readonly KeyRecord[] {
  return entry.kind === 'task' ? (entry.keys ?? NONE) : [entry.key];
}
