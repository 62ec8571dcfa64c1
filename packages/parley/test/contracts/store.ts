import { type StorePlace, storeContract } from 'parley-a2a/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { describeContextModel } from '../stores/properties/context-state.ts';
import { describeListModel } from '../stores/properties/list-model.ts';
import { PATIENCE_MS } from '../support/patience.ts';

export interface StoreUnderTest {
  readonly store: Store;
  /** The store once more, after it was closed. Without it, nothing outlives the store. */
  readonly reopen?: () => Store;
  /** Called after the store was closed. */
  readonly dispose: () => void;
}

/** Runs the public contract on one of our stores, and beside it what random changes must come to. */
export function describeStore(name: string, make: (now: () => number) => StoreUnderTest): void {
  const closeAndDispose = async (store: Store, dispose: () => void) => {
    await store.close();
    dispose();
  };
  const openStore = (now: () => number): Store => {
    const { store, dispose } = make(now);
    return withStore(store, { close: () => closeAndDispose(store, dispose) });
  };

  const openPlace = (now: () => number): Store | StorePlace => {
    const { store, reopen, dispose } = make(now);
    if (!reopen) return withStore(store, { close: () => closeAndDispose(store, dispose) });
    return { store, reopen, close: dispose };
  };

  describe(`the store contract: ${name}`, () => {
    storeContract({ describe, it, expect }, openPlace, { patience: PATIENCE_MS });
  });

  describe(`random changes: ${name}`, () => {
    let current: Store | undefined;
    const bed = {
      now: 0,
      get store(): Store {
        if (!current) throw new Error('No test is running');
        return current;
      },
    };

    beforeEach(async () => {
      current = openStore(() => bed.now);
      await current.open();
    });

    afterEach(async () => {
      await current?.close();
      current = undefined;
    });

    describeContextModel(bed);
    describeListModel(bed);
  });
}
