import type { TestRunner } from './runner.ts';

/** A part of a contract: declares its tests, which find what they test in the bed. */
export type ContractPart<Bed> = (runner: TestRunner, bed: Bed) => void;

export interface BedMaker<Bed> {
  /** The bed that the parts see while they are declared, when no test runs. */
  readonly idle: Bed;
  /** Runs one test in a bed of its own. */
  readonly run: (test: (bed: Bed) => Promise<void>) => Promise<void>;
}

/**
 * Declares the tests of the parts. A test that runs declares its part once more, in a bed of its own: what a test still does
 * that its runner has given up reaches no other test.
 */
export function declareParts<Bed>(
  runner: TestRunner,
  parts: readonly ContractPart<Bed>[],
  { idle, run }: BedMaker<Bed>,
): void {
  for (const part of parts) {
    let declared = 0;
    const it: TestRunner['it'] = (title) => {
      const place = declared;
      declared += 1;
      return runner.it(title, () => run(async (bed) => testsOf(part, runner, bed)[place]?.()));
    };
    part({ ...runner, it }, idle);
  }
}

/** The tests of a part in the order in which it declares them. */
function testsOf<Bed>(part: ContractPart<Bed>, { expect }: TestRunner, bed: Bed): readonly (() => Promise<void>)[] {
  const tests: (() => Promise<void>)[] = [];
  part({ expect, describe: (_, body) => body(), it: (_, body) => tests.push(body) }, bed);
  return tests;
}
