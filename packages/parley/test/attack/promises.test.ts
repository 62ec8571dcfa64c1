import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const TESTS = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(TESTS, '../../../SECURITY.md'), 'utf8');

/** The promises: each item of the list, with the tests that its last brackets name. */
function promises(): readonly (readonly [string, readonly string[]])[] {
  const [, after = ''] = PAGE.split('## What is promised');
  const [list = ''] = after.split('## What is not promised');
  return list
    .split(/^- /m)
    .slice(1)
    .map((item) => {
      const brackets = /\(([^()]*)\)\s*(?:\*\*.*)?$/s.exec(item.trim())?.[1] ?? '';
      const tests = [...brackets.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      return [item.split('\n')[0] ?? '', tests] as const;
    });
}

describe('SECURITY.md', () => {
  it('promises something', () => expect(promises().length).toBeGreaterThan(12));

  it.each(promises())('names tests that there are: %s', (_, tests) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const path of tests) {
      const found = globSync([`${path}.test.ts`, `${path}/**/*.test.ts`], { cwd: TESTS });
      expect(found.length, path).toBeGreaterThan(0);
    }
  });
});
