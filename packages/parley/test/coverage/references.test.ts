import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { referencesIn, sectionsOf } from './references.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PAGES = join(ROOT, 'docs/reference');
const sections = new Map(
  globSync('*.md', { cwd: PAGES }).map((name) => [
    name.replace(/\.md$/, ''),
    sectionsOf(readFileSync(join(PAGES, name), 'utf8')),
  ]),
);
const files = globSync('{packages,examples,scripts,bench}/**/*.ts', {
  cwd: ROOT,
  exclude: (path) => /node_modules|dist|test\/coverage/.test(path),
});

it('reads every form of a citation', () => {
  const source = [
    '/** One (reference: v1-bindings §5). */',
    '/**\n * Two (reference:\n * v1-agent-card §3).\n */',
    '/** Three (reference: v1-data-model, Validity rules: tolerate). */',
    '/** Four (seed S0.7), and the whole of seed S2, Part Types. */',
    "it('five [seed:S2.5] (S4.2)', () => {});",
    'const reference: readonly Rule[] = [];',
  ].join('\n');
  expect(referencesIn(source).map(({ page, section }) => `${page} ${section}`)).toEqual([
    'v1-bindings 5',
    'v1-agent-card 3',
    'v1-data-model Validity rules',
    'seeds S0.7',
    'seeds S2',
    'seeds S2.5',
    'seeds S4.2',
  ]);
});

it('finds what can be cited in a page', () => {
  const page = '# Title\n\n## 3. Two words (§1)\n\n### `Part`\n\n| S0.7 | x |\n';
  expect([...sectionsOf(page)]).toEqual(['', '3', 'Two', 'Two words', 'Two words (§1)', 'Part', 'S0.7']);
});

it('resolves every place of the reference that comments and tests cite', () => {
  const cited = files.flatMap((file) =>
    referencesIn(readFileSync(join(ROOT, file), 'utf8')).map((reference) => ({ file, ...reference })),
  );
  expect(cited.length).toBeGreaterThan(200);
  const unresolved = cited.filter(({ page, section }) => !sections.get(page)?.has(section));
  expect(unresolved.map(({ file, page, section }) => `${file}: ${page} ${section}`)).toEqual([]);
});
