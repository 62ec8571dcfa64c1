import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { type Citations, citationsIn } from './citations.ts';

interface Rule {
  readonly id: string;
  readonly level: string;
  readonly versions: readonly string[];
  readonly bindings: readonly string[];
  readonly side: string;
  readonly area: string;
}

const ROOT = join(import.meta.dirname, '../../../..');
/** Where the rules are kept with their text; a clone alone does not have it. */
const REFERENCE = join(ROOT, '../shared/reference/rules.json');

const rules: readonly Rule[] = readJson(join(import.meta.dirname, 'rules.json'));
/** Rules of features that are not built yet, each with the reason. */
const gaps: Readonly<Record<string, string>> = readJson(join(import.meta.dirname, 'known-gaps.json'));
const known = new Map(rules.map((rule) => [rule.id, rule]));
const files = new Map<string, Citations>(
  globSync(['packages/*/test/**/*.test.ts', 'packages/*/src/testing/*-contract/*.ts', 'examples/**/*.test.ts'], {
    cwd: ROOT,
    exclude: (path) => path.endsWith('node_modules') || path.endsWith('test/coverage'),
  }).map((path) => [path, citationsIn(readFileSync(join(ROOT, path), 'utf8'))]),
);
const cited = new Set([...files.values()].flatMap((file) => file.cited));

function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const withLevel = (id: string) => `${id} (${known.get(id)?.level})`;

it('has the rules of the reference', ({ skip }) => {
  if (!existsSync(REFERENCE)) skip(`${relative(ROOT, REFERENCE)} is not there: only the copy can be checked`);
  const reference: readonly Rule[] = readJson(REFERENCE);
  expect(rules).toEqual(
    reference.map(({ id, level, versions, bindings, side, area }) => ({ id, level, versions, bindings, side, area })),
  );
});

it('finds the tests', () => {
  expect(files.size).toBeGreaterThan(10);
  expect(cited.size).toBeGreaterThan(50);
});

it('cites rules in titles only', () => {
  const stray = [...files].filter(([, file]) => file.stray.length > 0).map(([path, file]) => [path, file.stray]);
  expect(stray).toEqual([]);
});

it('cites only rules that there are', () => {
  const unknown = [...files].flatMap(([path, file]) =>
    file.cited.filter((id) => !known.has(id)).map((id) => `${path}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

it('cites every rule but the known gaps', () => {
  const byReason = Map.groupBy(
    Object.keys(gaps).filter((id) => known.has(id) && !cited.has(id)),
    (id) => gaps[id],
  );
  const lines = [...byReason].map(([reason, ids]) => `${reason}: ${ids.map(withLevel).join(', ')}`);
  console.info(`${cited.size} of ${rules.length} rules are proved by tests. Known gaps:\n- ${lines.join('\n- ')}`);
  const uncited = rules.filter(({ id }) => !cited.has(id) && !Object.hasOwn(gaps, id)).map(({ id }) => withLevel(id));
  expect(uncited).toEqual([]);
});

it('keeps no gap that is closed or that is of no rule, and none without a reason', () => {
  expect(Object.keys(gaps).filter((id) => cited.has(id))).toEqual([]);
  expect(Object.keys(gaps).filter((id) => !known.has(id))).toEqual([]);
  expect(Object.values(gaps).filter((reason) => reason.trim() === '')).toEqual([]);
});
