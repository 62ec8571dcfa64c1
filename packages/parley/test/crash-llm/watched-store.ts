import type { JournalEntry, Store } from 'parley-a2a/ports';
import { withStore } from '../../src/stores/with-store.ts';

type Commit = Parameters<Store['commit']>[0][number];

export interface WatchedStore {
  readonly store: Store;
  /** The steps that are on disk, as far as this process knows. */
  readonly recorded: ReadonlySet<string>;
}

/** A store that tells `at` of what is about to be recorded, of what has been, and of the first words of each model call. */
export function watchedStore(inner: Store, at: (point: string) => void): WatchedStore {
  const recorded = new Set<string>();
  const note = (steps: readonly string[]) => {
    for (const step of steps) recorded.add(step);
  };
  const store = withStore(inner, {
    commit: async (entries) => {
      const steps = entries.flatMap((entry) => (entry.kind === 'task' ? stepsIn(entry.journal) : []));
      for (const step of steps) at(`${step} is to be recorded`);
      const results = await inner.commit(entries);
      for (const step of steps) at(`${step} is recorded`);
      note(steps);
      if (steps.length === 0 && entries.some(hasWords)) at(`${speakerAfter(recorded)} speaks`);
      return results;
    },
    journal: async (taskId) => {
      const entries = await inner.journal(taskId);
      note(stepsIn(entries));
      return entries;
    },
  });
  return { store, recorded };
}

function stepsIn(journal: readonly JournalEntry[] = []): string[] {
  return journal.flatMap(({ body: { kind, step } }) => (kind === 'step' && typeof step === 'string' ? [step] : []));
}

function hasWords(entry: Commit): boolean {
  return entry.kind === 'task' && entry.events.some((event) => event.kind === 'artifact' && !event.lastChunk);
}

/** The model call after those that are recorded. */
function speakerAfter(recorded: ReadonlySet<string>): string {
  return `model ${1 + [...recorded].filter((step) => step.startsWith('model ')).length}`;
}
