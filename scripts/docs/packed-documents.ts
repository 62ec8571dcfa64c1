import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS, isForContributors, USER_PAGES } from './chapters.ts';
import { llmsList } from './llms.ts';
import { withoutOutsideLinks } from './outside-links.ts';

const ROOT = join(DOCS, '..');
const PACKAGE_README = 'packages/parley/README.md';
/** Pictures of the documents. */
const PICTURES = readdirSync(join(DOCS, 'assets')).map((name) => `docs/assets/${name}`);
const PAGES = ['docs/README.md', ...USER_PAGES.map(({ path }) => `docs/${path}`)];

/** Files of the package by their paths in the repository: what links may lead to. */
const PACKED = new Set([...PAGES, ...PICTURES, 'CHANGELOG.md', 'LICENSE', 'docs']);

/** The documents of the packed package by their paths there. Every link leads to a file of the package, or to the web. */
export function packedDocuments(): ReadonlyMap<string, string | Uint8Array> {
  const settled = (page: string) =>
    withoutOutsideLinks(page, readFileSync(join(ROOT, page), 'utf8'), (path) => PACKED.has(path));
  return new Map<string, string | Uint8Array>([
    // The repository's README for the package stands two folders deeper than the packed one.
    ['README.md', settled(PACKAGE_README).replaceAll('](../../', '](')],
    ...['CHANGELOG.md', ...PAGES].map((page) => [page, settled(page)] as const),
    ...PICTURES.map((picture) => [picture, readFileSync(join(ROOT, picture))] as const),
    [
      'docs/llms.txt',
      llmsList(
        (path) => path,
        (path) => !isForContributors(path),
      ),
    ],
  ]);
}
