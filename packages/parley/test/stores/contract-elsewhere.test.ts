import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'contract-elsewhere.ts');
const CONDITION = '--conditions=parley-source';

/** Runs the contract on `node:test` and returns what its report says. */
function runElsewhere(...options: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [CONDITION, '--test-reporter=tap', PROGRAM, ...options], {
    encoding: 'utf8',
    env,
  });
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1]);
  const failed = [...stdout.matchAll(/^\s*not ok \d+ - (.+)$/gm)].map(([, title]) => title);
  return { status, passed: count('pass'), failures: count('fail'), failed };
}

it('the store contract runs on node:test, with an expect of its own', () => {
  const { status, passed, failures, failed } = runElsewhere();
  expect({ status, failures, failed }).toEqual({ status: 0, failures: 0, failed: [] });
  expect(passed).toBeGreaterThan(70);
});

it('the store contract fails, also there, for a store that forgets the lease', () => {
  const { status, failed } = runElsewhere('broken');
  expect(status).not.toBe(0);
  expect(failed.some((title) => title?.endsWith('refuses an earlier lease and changes nothing'))).toBe(true);
});
