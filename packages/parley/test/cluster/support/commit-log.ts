import type { Store } from 'parley-a2a/ports';
import type { ClusterLog } from 'parley-a2a/testing';
import { withStore } from '../../../src/stores/with-store.ts';

/** A store that tells of each write of a task which was accepted, under the name of its node. */
export function withCommitLog(store: Store, node: string, log: ClusterLog): Store {
  return withStore(store, {
    commit: async (entries) => {
      const results = await store.commit(entries);
      for (const [index, entry] of entries.entries()) {
        if (entry.kind !== 'task' || results[index] !== 'ok') continue;
        const { head, expectedSeq: from } = entry;
        log({ kind: 'commit', node, taskId: head.id, lease: head.lease.number, from, to: head.seq });
      }
      return results;
    },
  });
}
