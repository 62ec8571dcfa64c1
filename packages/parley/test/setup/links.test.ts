import { describe, expect, it } from 'vitest';
import { type Link, linksOf, PAGES, problemOf } from './support/links.ts';

describe('the links of the documents', () => {
  it('are found', () => {
    expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/client.md']));
    expect(PAGES).toEqual(
      expect.arrayContaining(['examples/README.md', 'examples/relay/README.md', 'bench/README.md']),
    );
    expect(PAGES.flatMap((page) => linksOf(page)).length).toBeGreaterThan(100);
  });

  it.each(PAGES)('lead somewhere: %s', (page) => {
    expect(linksOf(page).flatMap((link) => problemOf(link) ?? [])).toEqual([]);
  });

  it.each([
    ['nowhere.md', 'docs/client.md: there is no nowhere.md'],
    ['../../outside.md', 'docs/client.md: there is no ../../outside.md'],
    ['hosting.md#nothing', 'docs/client.md: docs/hosting.md has no heading #nothing'],
    ['#nothing', 'docs/client.md: docs/client.md has no heading #nothing'],
    ['guides/agents.md', 'docs/client.md: docs/guides/agents.md says nothing of A2AClient'],
    ['hosting.md#limits', 'docs/client.md: docs/hosting.md says nothing of A2AClient'],
    ['#streams', undefined],
    ['https://example.com/nowhere', undefined],
  ])('are checked: %s', (target, problem) => {
    const link: Link = { page: 'docs/client.md', words: '`A2AClient`', target };
    expect(problemOf(link)).toBe(problem);
  });
});
