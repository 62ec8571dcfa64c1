import type { CommitEntry, CommitResult, Logger, Store } from '../../engine/ports.ts';
import type { Interceptors } from './interceptors.ts';
import type { InterceptedCommit } from './subjects.ts';

/** The commit of a store with the server's interceptors around it. */
export function interceptedCommit(store: Store, interceptors: Interceptors, log: Logger): Store['commit'] {
  return (entries) => (interceptors.commit ? around(interceptors.commit, store, entries, log) : store.commit(entries));
}

async function around(
  commit: NonNullable<Interceptors['commit']>,
  store: Store,
  entries: readonly CommitEntry[],
  log: Logger,
): Promise<readonly CommitResult[]> {
  let results: readonly CommitResult[] | undefined;
  try {
    await commit(summaryOf(entries), async () => {
      results = await store.commit(entries);
    });
  } catch (error) {
    if (!results) throw error;
    // What is written is written; to fail now would write it again.
    log.error('An interceptor failed after a commit', { error });
  }
  if (!results) throw new TypeError('An interceptor of commits must call next(), or throw');
  return results;
}

function summaryOf(entries: readonly CommitEntry[]): InterceptedCommit {
  const taskIds: string[] = [];
  let events = 0;
  for (const entry of entries) {
    if (entry.kind !== 'task') continue;
    taskIds.push(entry.head.id);
    events += entry.events.length;
  }
  return { taskIds, events };
}
