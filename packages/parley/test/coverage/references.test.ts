import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentsIn, referencesIn, sectionsOf } from './references.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PAGES = join(ROOT, 'docs/reference');
const sections = new Map(
  globSync('*.md', { cwd: PAGES }).map((name) => [
    name.replace(/\.md$/, ''),
    sectionsOf(readFileSync(join(PAGES, name), 'utf8')),
  ]),
);
const files = globSync('{packages,examples,scripts,bench,interop}/**/*.{ts,tsx,mjs}', {
  cwd: ROOT,
  exclude: (path) => /node_modules|dist|test\/coverage/.test(path),
});

/** It is about pages that are not there. */
const NAMES_MADE_UP = ['packages/parley/test/setup/chapters.test.ts'];

it('reads every form of a citation', () => {
  const source = [
    '/** One (reference: v1-bindings §5). */',
    '/**\n * Two (reference:\n * v1-agent-card §3).\n */',
    '/** Three (reference: v1-data-model, Validity rules: tolerate). */',
    '/** Four (seed S0.7), and the whole of seed S2, Part Types. */',
    "it('five [seed:S2.5] (S4.2)', () => {});",
    '/** Six (reference: v03 §4, v1-bindings §7.1). */',
    'const reference: readonly Rule[] = [];',
  ].join('\n');
  expect(referencesIn(source).map(({ page, section }) => `${page} ${section}`)).toEqual([
    'v1-bindings 5',
    'v1-agent-card 3',
    'v1-data-model Validity rules',
    'v03 4',
    'v1-bindings 7',
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

it('resolves every decision and every document that comments and tests name', () => {
  expect(documentsIn('as decision 0015 says; see docs/guides/skills.md')).toEqual(['0015', 'docs/guides/skills.md']);
  const decisions = globSync('*.md', { cwd: join(ROOT, 'docs/decisions') }).map((name) => name.slice(0, 4));
  const isThere = (name: string) => decisions.includes(name) || existsSync(join(ROOT, name));
  const named = files
    .filter((file) => !NAMES_MADE_UP.includes(file))
    .flatMap((file) => documentsIn(readFileSync(join(ROOT, file), 'utf8')).map((name) => ({ file, name })));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
});
