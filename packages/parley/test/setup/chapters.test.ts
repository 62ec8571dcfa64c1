import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHAPTERS, DOCS, isForContributors, openingOf } from '../../../../scripts/docs/chapters.ts';
import { llmsFull, llmsList } from '../../../../scripts/docs/llms.ts';
import { withoutOutsideLinks } from '../../../../scripts/docs/outside-links.ts';
import { publicPageOf } from '../../../../scripts/docs/public-address.ts';

const listed = CHAPTERS.flatMap(({ pages }) => pages.map(({ path }) => path));

describe('the map of the documents', () => {
  it('has every page once', () => {
    const pages = globSync('**/*.md', { cwd: DOCS, exclude: (name) => name.startsWith('.') });
    const expected = pages.filter((page) => page !== 'README.md' && (!isForContributors(page) || /README/.test(page)));
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  it('knows how each page begins', () => {
    const vague = listed.filter((path) => openingOf(path).title === path);
    expect(vague).toEqual([]);
  });

  it('is what the first page leads to', () => {
    const text = readFileSync(join(DOCS, 'README.md'), 'utf8');
    const missing = listed.filter((path) => !path.startsWith('extensions/') && !text.includes(`](${path})`));
    expect(missing).toEqual([]);
  });
});

describe('the texts for language models', () => {
  it('list every page with its address', () => {
    const list = llmsList((path) => `/${path}`);
    expect(list).toMatch(/^# Parley/);
    expect(listed.filter((path) => !list.includes(`](/${path})`))).toEqual([]);
  });

  it('have the pages for users as a whole', () => {
    const text = llmsFull();
    expect(text).toContain('# Your first agent');
    expect(text).not.toContain('<!-- docs/decisions');
  });
});

describe('links that leave the documents', () => {
  const isThere = (path: string) => path === 'docs/hosting.md';
  const settled = (text: string, address?: string) => withoutOutsideLinks('docs/guides/a.md', text, isThere, address);

  it.each([
    ['[Hosting](../hosting.md#limits)', '[Hosting](../hosting.md#limits)'],
    ['[web](https://example.com/x)', '[web](https://example.com/x)'],
    ['[here](#there)', '[here](#there)'],
    ['see [an example](../../examples/a.ts) of it', 'see an example of it'],
    ['```md\n[code](../../x.ts)\n```', '```md\n[code](../../x.ts)\n```'],
  ])('%s', (text, expected) => {
    expect(settled(text)).toBe(expected);
  });

  it('lead to the public repository where there is one', () => {
    const address = 'https://example.com/parley';
    expect(publicPageOf('a.ts', address)).toBe('https://example.com/parley/blob/main/a.ts');
    expect(settled('[a](../../a.md#b)', address)).toBe('[a](https://example.com/parley/blob/main/a.md#b)');
  });
});
