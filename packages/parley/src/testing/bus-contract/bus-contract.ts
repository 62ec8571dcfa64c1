import type { TestRunner } from '../store-contract/runner.ts';
import { BusTestBed, type OpenBus } from './bus-test-bed.ts';
import { describeNotices } from './notices.ts';
import { describeRequests } from './requests.ts';

/** Every part of the contract, one for each subject. */
const PARTS: readonly ((runner: TestRunner, bed: () => BusTestBed) => void)[] = [describeNotices, describeRequests];

/**
 * Declares the tests that every bus must pass, with the test runner that is handed in. Each test has a bus of its own
 * with two nodes on it. The tests run one after another.
 *
 * @example
 * import { busContract } from 'parley-a2a/testing';
 * import { describe, expect, it } from 'vitest';
 *
 * describe('my bus', () => busContract({ describe, it, expect }, () => ({ first: new MyBus(), second: new MyBus() })));
 */
export function busContract(runner: TestRunner, openBus: OpenBus): void {
  let current: BusTestBed | undefined;
  const bed = () => {
    if (!current) throw new Error('The contract has a bus only while one of its tests runs');
    return current;
  };
  const run = async (body: () => Promise<void>) => {
    if (current) throw new Error('The tests of a bus contract must run one after another');
    const opened = new BusTestBed(await openBus());
    current = opened;
    try {
      await opened.join();
      await body();
    } finally {
      current = undefined;
      await opened.close();
    }
  };
  const it = (name: string, body: () => Promise<void>) => runner.it(name, () => run(body));
  for (const describePart of PARTS) describePart({ ...runner, it }, bed);
}
