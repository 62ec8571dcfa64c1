import { type ContractPart, declareParts } from '../store-contract/declare-parts.ts';
import { thenClose, USUAL_PATIENCE } from '../store-contract/patience.ts';
import type { ContractOptions, TestRunner } from '../store-contract/runner.ts';
import { BusTestBed, type OpenBus } from './bus-test-bed.ts';
import { Deadline } from './deadline.ts';
import { describeNotices } from './notices.ts';
import { describeRequests } from './requests.ts';

/** Every part of the contract, one for each subject. */
const PARTS: readonly ContractPart<() => BusTestBed>[] = [describeNotices, describeRequests];

/**
 * Declares the tests that every bus must pass, with the test runner that is handed in. Each test has a bus of its own
 * with two nodes on it.
 *
 * @example
 * import { busContract } from 'parley-a2a/testing';
 * import { describe, expect, it } from 'vitest';
 *
 * describe('my bus', () => busContract({ describe, it, expect }, () => ({ first: new MyBus(), second: new MyBus() })));
 */
export function busContract(runner: TestRunner, openBus: OpenBus, options: ContractOptions = {}): void {
  const { patience = USUAL_PATIENCE } = options;
  const idle = (): BusTestBed => {
    throw new Error('The contract has a bus only while one of its tests runs');
  };
  declareParts(runner, PARTS, { idle, run: (test) => runOnBus(openBus, new Deadline(patience), test) });
}

async function runOnBus(openBus: OpenBus, deadline: Deadline, test: (bed: () => BusTestBed) => Promise<void>) {
  const opening = async () => openBus();
  const bed = new BusTestBed(await deadline.wait(opening(), '`openBus`, which was handed to the contract,'), deadline);
  const joinAndTest = async () => {
    await bed.join();
    await test(() => bed);
  };
  await thenClose(joinAndTest, () => bed.close());
}
