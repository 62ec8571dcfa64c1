import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { currentTable, TABLE } from '../../../../scripts/check-rules.ts';
import { SITUATIONS } from '../../src/check/probe/prompts.ts';
import { RULES } from '../../src/check/rules/index.ts';
import { ALL_RULES } from '../../src/check/table/all-rules.ts';
import { RULE_INFOS } from '../../src/check/table/rule-info.ts';
import { UNSEEN } from '../../src/check/unseen.ts';
import { check } from '../../src/cli/commands/agents/check.ts';
import { ROOT } from '../setup/support/repository.ts';

interface ReferenceRule {
  readonly id: string;
  readonly level: string;
  readonly side: string;
  readonly area: string;
  readonly versions: readonly string[];
  readonly bindings: readonly string[];
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const reference: readonly ReferenceRule[] = readJson(join(ROOT, 'docs/reference/rules.json'));

it('ships the rules of the reference that a server can break', () => {
  expect(readFileSync(TABLE, 'utf8')).toBe(currentTable());
  expect(RULE_INFOS.map(({ id }) => id)).toEqual(reference.filter(({ side }) => side !== 'client').map(({ id }) => id));
  expect(RULE_INFOS.filter(({ area, section, text }) => !area || !section || !text)).toEqual([]);
});

it('has the same rules as the tests cite', () => {
  const cited: readonly ReferenceRule[] = readJson(join(ROOT, 'packages/parley/test/coverage/rules.json'));
  const shared = reference.map(({ id, level, versions, bindings, side, area }) => ({
    id,
    level,
    versions,
    bindings,
    side,
    area,
  }));
  expect(shared).toEqual(cited);
});

it('has the texts of the reference', ({ skip }) => {
  const original = join(ROOT, '../shared/reference/rules.json');
  if (!existsSync(original)) skip('only the copy can be checked: the original is not there');
  expect(reference).toEqual(readJson(original));
});

it('checks each rule once, or says why it cannot be seen', () => {
  const checked = RULES.map(({ id }) => id);
  const known = new Set(ALL_RULES.map(({ id }) => id));
  expect(checked.filter((id, index) => checked.indexOf(id) !== index)).toEqual([]);
  expect([...checked, ...Object.keys(UNSEEN)].filter((id) => !known.has(id))).toEqual([]);
  expect(checked.filter((id) => Object.hasOwn(UNSEEN, id))).toEqual([]);
  expect([...known].filter((id) => !checked.includes(id) && !Object.hasOwn(UNSEEN, id))).toEqual([]);
  expect(Object.keys(UNSEEN).length).toBeLessThan(30);
});

it('lists in its document each rule that is always skipped, with the same reason', () => {
  const document = readFileSync(join(ROOT, 'docs/check.md'), 'utf8');
  const [, table = ''] = document.split('## Rules that are always skipped');
  const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, id = '', reason = '']) => [id, reason]);
  expect(Object.fromEntries(rows)).toEqual(UNSEEN);
});

it('names in its document every situation and every option', () => {
  const document = readFileSync(join(ROOT, 'docs/check.md'), 'utf8');
  expect(SITUATIONS.filter((situation) => !document.includes(`| \`${situation}\` |`))).toEqual([]);
  expect(check.options.filter((option) => !document.includes(`--${option}`))).toEqual([]);
});
