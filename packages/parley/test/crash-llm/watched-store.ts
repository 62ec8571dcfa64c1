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
      if (steps.length === 0) for (const call of entries.flatMap(callsIn)) at(`model ${call} speaks`);
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

/** The names of steps, and of questions with what became of them. */
function stepsIn(journal: readonly JournalEntry[] = []): string[] {
  return journal.flatMap(({ body: { kind, step } }) => {
    if (typeof step !== 'string' || typeof kind !== 'string') return [];
    return kind === 'step' ? [step] : [`${kind} ${step}`];
  });
}

/** The numbers of the model calls whose first word is in an entry; the model says them. */
function callsIn(entry: Commit): string[] {
  if (entry.kind !== 'task') return [];
  const parts = entry.events.flatMap((event) => (event.kind === 'artifact' ? event.artifact.parts : []));
  return parts
    .flatMap((part) => (part.kind === 'text' ? [...part.text.matchAll(/Call (\d+)/g)] : []))
    .map(([, call = '']) => call);
}
