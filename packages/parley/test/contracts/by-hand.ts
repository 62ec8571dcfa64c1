import type { TestRunner } from 'parley-a2a/testing';
import { expect } from 'vitest';

/** A test of a contract that failed: its title, without those of the parts around it, and what it said. */
export interface Failure {
  readonly title: string;
  readonly said: string;
}

/** Declares a contract without a test runner, runs its tests all at once and returns those that fail. */
export async function failuresOf(declare: (runner: TestRunner) => void): Promise<readonly Failure[]> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  declare({ describe: (_, body) => body(), it: (title, body) => tests.push([title, body]), expect });
  expect(tests.length).toBeGreaterThan(14);
  const ends = tests.map(async ([title, body]) => {
    const said = await body().then(
      () => undefined,
      (error: unknown) => String(error),
    );
    return { title, said };
  });
  return (await Promise.all(ends)).flatMap(({ title, said }) => (said === undefined ? [] : [{ title, said }]));
}
