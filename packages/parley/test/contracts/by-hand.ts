import type { TestRunner } from 'parley-a2a/testing';
import { expect } from 'vitest';

/** A test of a contract that failed: its title, without those of the parts around it, and what it said. */
export interface Failure {
  readonly title: string;
  readonly said: string;
}

/** Declares a contract without a test runner, runs its tests one after another and returns those that fail. */
export async function failuresOf(declare: (runner: TestRunner) => void): Promise<readonly Failure[]> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  declare({ describe: (_, body) => body(), it: (title, body) => tests.push([title, body]), expect });
  expect(tests.length).toBeGreaterThan(14);
  const failures: Failure[] = [];
  for (const [title, body] of tests) {
    await body().catch((error: unknown) => failures.push({ title, said: String(error) }));
  }
  return failures;
}
