import type { Awaitable, Store } from '../../engine/ports.ts';
import { describeApiKeys } from './cases/api-keys.ts';
import { describeClaims } from './cases/claims.ts';
import { describeContextState } from './cases/context-state.ts';
import { describeCursors } from './cases/cursors.ts';
import { describeKeptValues } from './cases/kept-values.ts';
import { describeLiveness } from './cases/liveness.ts';
import { describeOptionalMembers } from './cases/optional-members.ts';
import { describePushConfigs } from './cases/push-configs.ts';
import { describeSharing } from './cases/sharing.ts';
import { describeCommits } from './cases/tasks/commits.ts';
import { describeJournal } from './cases/tasks/journal.ts';
import { describeLists } from './cases/tasks/lists.ts';
import { describeLoading } from './cases/tasks/loading.ts';
import { describePurging } from './cases/tasks/purging.ts';
import { describeReading } from './cases/tasks/reading.ts';
import { describeRefusals } from './cases/tasks/refusals.ts';
import { describeTrimming } from './cases/tasks/trimming.ts';
import { describeText } from './cases/text.ts';
import { describeTurnQueue } from './cases/turn-queue.ts';
import { type ContractPart, declareParts } from './declare-parts.ts';
import { thenClose, USUAL_PATIENCE, type WaitForCall, within, withPatience } from './patience.ts';
import type { ContractOptions, StoreTestBed, TestRunner } from './runner.ts';

/**
 * Makes a store for one test: new, empty and not open yet. It takes the time from `now`, which is what decides in a
 * commit whether an idempotency key has expired. What must be cleaned up is cleaned up by the store's `close`.
 */
export type OpenStore = (now: () => number) => Awaitable<Store>;

/** Every part of the contract, one for each subject. */
const PARTS: readonly ContractPart<StoreTestBed>[] = [
  describeCommits,
  describeRefusals,
  describeJournal,
  describeClaims,
  describeSharing,
  describeContextState,
  describeLoading,
  describeReading,
  describeLists,
  describeLiveness,
  describePurging,
  describeTrimming,
  describePushConfigs,
  describeCursors,
  describeApiKeys,
  describeKeptValues,
  describeTurnQueue,
  describeText,
  describeOptionalMembers,
];

/**
 * Declares the tests that every store must pass, with the test runner that is handed in. Each test has a store of its
 * own, which is opened before it and closed after it.
 *
 * @example
 * import { storeContract } from 'parley-a2a/testing';
 * import { describe, expect, it } from 'vitest';
 *
 * describe('my store', () => storeContract({ describe, it, expect }, (now) => new MyStore({ now })));
 */
export function storeContract(runner: TestRunner, openStore: OpenStore, options: ContractOptions = {}): void {
  const { patience = USUAL_PATIENCE } = options;
  declareParts<StoreTestBed>(runner, PARTS, {
    idle: new OneStoreBed(),
    run: (test) => runWithStore(openStore, patience, test),
  });
}

async function runWithStore(openStore: OpenStore, patience: number, test: (bed: StoreTestBed) => Promise<void>) {
  const wait: WaitForCall = (promise, method) =>
    within(promise, patience, `\`${method}\` of the store has not settled after ${patience} ms`);
  const bed = new OneStoreBed();
  const opening = async () => openStore(() => bed.now);
  const late = `\`openStore\`, which was handed to the contract, has not settled after ${patience} ms`;
  const store = withPatience(await within(opening(), patience, late), wait);
  const openAndTest = async () => {
    await store.open();
    bed.use(store);
    await test(bed);
  };
  await thenClose(openAndTest, async () => store.close());
}

class OneStoreBed implements StoreTestBed {
  now = 0;
  #store: Store | undefined;

  get store(): Store {
    if (!this.#store) throw new Error('The contract has a store only while one of its tests runs');
    return this.#store;
  }

  use(store: Store): void {
    this.#store = store;
  }
}
