import { describeApiKeys } from './cases/api-keys.ts';
import { describeClaims } from './cases/claims.ts';
import { describeContextState } from './cases/context-state.ts';
import { describeCursors } from './cases/cursors.ts';
import { describeDurability } from './cases/durability.ts';
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
import { OneStoreBed } from './one-store-bed.ts';
import type { OpenStore } from './open-store.ts';
import { thenClose, USUAL_PATIENCE } from './patience.ts';
import type { ContractOptions, StoreTestBed, TestRunner } from './runner.ts';

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
  describeDurability,
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
    idle: new OneStoreBed(patience),
    run: (test) => runWithStore(openStore, patience, test),
  });
}

async function runWithStore(openStore: OpenStore, patience: number, test: (bed: StoreTestBed) => Promise<void>) {
  const bed = new OneStoreBed(patience);
  await bed.make(openStore);
  const openAndTest = async () => {
    await bed.open();
    await test(bed);
  };
  await thenClose(openAndTest, () => bed.close());
}
