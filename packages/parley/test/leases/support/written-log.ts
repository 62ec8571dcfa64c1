import type { Store, TaskCommit } from '../../../src/engine/ports.ts';
import { withStore } from '../../../src/stores/with-store.ts';

/** A commit of a task that the store has accepted. */
interface Written {
  readonly seq: number;
  readonly lease: number;
  readonly node: string | null;
}

export interface WrittenLog {
  readonly store: Store;
  /** What was written in a way in which one writer at a time cannot have written it. */
  problems(): readonly string[];
}

/** Notes what a store accepts, task by task. */
export function writtenLog(inner: Store): WrittenLog {
  const written = new Map<string, Written[]>();
  const note = ({ head }: TaskCommit) => {
    const commits = written.get(head.id) ?? [];
    commits.push({ seq: head.seq, lease: head.lease.number, node: head.lease.node });
    written.set(head.id, commits);
  };
  const store = withStore(inner, {
    commit: async (entries) => {
      const results = await inner.commit(entries);
      for (const [index, entry] of entries.entries()) {
        if (entry.kind === 'task' && results[index] === 'ok') note(entry);
      }
      return results;
    },
  });
  return {
    store,
    problems: () => [...written].flatMap(([taskId, commits]) => problemsOf(taskId, commits)),
  };
}

function problemsOf(taskId: string, commits: readonly Written[]): readonly string[] {
  const problems: string[] = [];
  const holders = new Map<number, string>();
  let [seq, lease] = [0, 0];
  for (const commit of commits) {
    if (commit.seq < seq) problems.push(`${taskId}: ${commit.seq} was written after ${seq}`);
    if (commit.lease < lease) problems.push(`${taskId}: lease ${commit.lease} wrote after lease ${lease}`);
    const holder = holders.get(commit.lease);
    if (commit.node && holder && holder !== commit.node)
      problems.push(`${taskId}: two nodes hold lease ${commit.lease}`);
    if (commit.node) holders.set(commit.lease, commit.node);
    [seq, lease] = [Math.max(seq, commit.seq), Math.max(lease, commit.lease)];
  }
  return problems;
}
