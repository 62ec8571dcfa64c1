import type { CommitEntry, CommitResult, Store } from 'parley-a2a/ports';
import { withStore } from '../../../src/stores/with-store.ts';

/** A store that breaks one of the promises that a cluster rests on. */
export type Sabotage = (store: Store) => Store;

/** Whoever writes last wins: the lease number is that of the store, whatever the node holds, and so is the place in the log. */
export const withoutFences: Sabotage = (store) =>
  withStore(store, {
    commit: async (entries) => {
      const results: CommitResult[] = [];
      for (const entry of entries) results.push(...(await store.commit([await rebased(store, entry)])));
      return results;
    },
  });

async function rebased(store: Store, entry: CommitEntry): Promise<CommitEntry> {
  if (entry.kind !== 'task' || entry.expectedSeq === 0) return entry;
  const stored = await store.head(entry.head.id);
  if (!stored) return entry;
  const shift = stored.seq - entry.expectedSeq;
  return {
    ...entry,
    expectedSeq: stored.seq,
    expectedLease: stored.lease.number,
    head: { ...entry.head, seq: entry.head.seq + shift },
    events: entry.events.map((event) => ({ ...event, seq: event.seq + shift })),
  };
}

/** Tells of a commit before it is made, and makes it so many milliseconds later, if the node lives that long. */
export function publishingFirst(delay: number): Sabotage {
  return (store) => {
    let last: Promise<unknown> = Promise.resolve();
    return withStore(store, {
      commit: (entries) => {
        // A new task is written at once: nothing can be found of one that nobody has.
        const isNew = entries.some((entry) => entry.kind === 'task' && entry.expectedSeq === 0);
        const rest = () => (isNew ? undefined : new Promise((resolve) => setTimeout(resolve, delay)));
        const made = last.then(rest).then(() => store.commit(entries));
        last = made.catch(() => {});
        return isNew ? made : Promise.resolve(entries.map(() => 'ok' as const));
      },
    });
  };
}

/** Nobody finds the tasks of a node that died. */
export const withoutTakeover: Sabotage = (store) => withStore(store, { abandoned: () => [] });
