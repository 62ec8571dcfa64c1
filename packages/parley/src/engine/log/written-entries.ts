import type { CommitEntry, Store, TaskCommit } from '../ports.ts';

type Stored = Pick<Store, 'head' | 'journal' | 'key'>;

/**
 * True if the store has an entry whose commit got no response. Only this node writes under its lease number, so the
 * head tells. False also where nothing tells, because writing the entry twice is the same as writing it once.
 */
export async function isWritten(store: Stored, entry: CommitEntry, now: number): Promise<boolean> {
  if (entry.kind === 'task') return isTaskWritten(store, entry);
  const { scope, key, reply } = entry.key;
  const stored = await store.key(scope, key, now);
  return stored?.reply !== undefined && stored.reply.messageId === reply?.messageId;
}

async function isTaskWritten(
  store: Stored,
  { head, expectedSeq, expectedLease, journal }: TaskCommit,
): Promise<boolean> {
  const stored = await store.head(head.id);
  if (stored?.seq !== head.seq || stored.statusTime !== head.statusTime) return false;
  if (stored.lease.number !== head.lease.number || stored.lease.node !== head.lease.node) return false;
  if (head.seq > expectedSeq || head.lease.number > expectedLease) return true;
  const last = journal?.at(-1);
  if (!last) return false;
  return (await store.journal(head.id)).some(({ number }) => number === last.number);
}
