import { onTestFinished } from 'vitest';
import type { CommitEntry, Store } from '../../../src/engine/ports.ts';
import { memory } from '../../../src/stores/memory.ts';
import { withStore } from '../../../src/stores/with-store.ts';

export interface GatedStore {
  readonly store: Store;
  /** How many commits have been asked for. */
  readonly asked: number;
  /** The entries of all commits that have been asked for. */
  readonly entries: readonly CommitEntry[];
  /** From now on commits wait. */
  readonly hold: () => void;
  /** Lets the waiting commits through, and those that follow. */
  readonly release: () => void;
}

/** A store in memory whose commits take as long as a test wants. */
export function gatedStore(inner: Store = memory()): GatedStore {
  let gate: PromiseWithResolvers<void> | undefined;
  let asked = 0;
  const entries: CommitEntry[] = [];
  const commit: Store['commit'] = async (batch) => {
    asked += 1;
    entries.push(...batch);
    await gate?.promise;
    return inner.commit(batch);
  };
  const store = withStore(inner, { commit });
  const release = () => {
    gate?.resolve();
    gate = undefined;
  };
  return {
    store,
    entries,
    get asked() {
      return asked;
    },
    hold() {
      gate ??= Promise.withResolvers();
      // A server cannot close while its commits wait.
      onTestFinished(release);
    },
    release,
  };
}
