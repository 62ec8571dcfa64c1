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
  let written: Promise<readonly CommitResult[]> | undefined;
  const write = async () => store.commit(entries);
  try {
    await commit(summaryOf(entries), async () => {
      written ??= write();
      await written;
    });
  } catch (error) {
    if (!written) throw error;
    // What is written is written; to fail now would write it again. A write that failed is tried again for its own reason.
    const results = await written;
    log.error('An interceptor failed after a commit', { error });
    return results;
  }
  if (!written) throw new TypeError('An interceptor of commits must call next(), or throw');
  return written;
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
