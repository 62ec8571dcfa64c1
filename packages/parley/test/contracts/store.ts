import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '../../src/engine/ports.ts';
import { describeClaims } from '../stores/contract/claims.ts';
import { describeCommits } from '../stores/contract/commits.ts';
import { describeContextState } from '../stores/contract/context-state.ts';
import { describeListModel } from '../stores/contract/list-model.ts';
import { describeLists } from '../stores/contract/lists.ts';
import { describeLiveness } from '../stores/contract/liveness.ts';
import { describeLoading } from '../stores/contract/loading.ts';
import { describePurging } from '../stores/contract/purging.ts';
import { describeReading } from '../stores/contract/reading.ts';

export interface StoreUnderTest {
  readonly store: Store;
  /** After the store was closed. */
  dispose(): void;
}

/** Gives the store of the running test, and the time that the store takes for now. */
export interface StoreTestBed {
  readonly store: Store;
  now: number;
}

/** What every store promises. `make` gives a new store that is not open yet and tells the time by `now`. */
export function describeStore(name: string, make: (now: () => number) => StoreUnderTest): void {
  describe(`the store contract: ${name}`, () => {
    let current: StoreUnderTest | undefined;
    const bed = {
      now: 0,
      get store(): Store {
        if (!current) throw new Error('No test is running');
        return current.store;
      },
    };

    beforeEach(async () => {
      bed.now = 0;
      current = make(() => bed.now);
      await current.store.open();
    });

    afterEach(async () => {
      await current?.store.close();
      current?.dispose();
      current = undefined;
    });

    describeCommits(bed);
    describeClaims(bed);
    describeContextState(bed);
    describeLoading(bed);
    describeReading(bed);
    describeLists(bed);
    describeListModel(bed);
    describeLiveness(bed);
    describePurging(bed);
  });
}
