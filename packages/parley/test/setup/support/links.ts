import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './repository.ts';

/** The pages that people read: the root's, and those of the folders that have some. */
export const PAGES: readonly string[] = globSync(['*.md', '{docs,examples,bench}/**/*.md', 'packages/*/README.md'], {
  cwd: ROOT,
  exclude: (name) => name.includes('node_modules'),
}).toSorted();

export interface Link {
  readonly page: string;
  readonly words: string;
  readonly target: string;
}

export function linksOf(page: string, root: string = ROOT): readonly Link[] {
  const links = proseOf(page, root).matchAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g);
  return [...links].map(([, words = '', target = '']) => ({ page, words, target }));
}

/** What is wrong with a link; undefined where nothing is. Addresses on the web are not looked at. */
export function problemOf({ page, words, target }: Link, root: string = ROOT): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)));
  if (file.startsWith('..') || !existsSync(join(root, file))) return `${page}: there is no ${target}`;
  if (anchor !== undefined && !anchorsOf(file, root).has(anchor)) return `${page}: ${file} has no heading #${anchor}`;
  const name = nameIn(words, anchor);
  const says = (text: string) => text.toLowerCase().includes(name?.toLowerCase() ?? '');
  if (file.endsWith('.md') && !says(readFileSync(join(root, file), 'utf8'))) {
    return `${page}: ${file} says nothing of ${name}`;
  }
  return undefined;
}

/** What the page behind a link must speak of: a name from the code, or the one word that leads to a page as a whole. */
function nameIn(words: string, anchor: string | undefined): string | undefined {
  const code = /^`(?:\w+\.)*(\w+)`$/.exec(words)?.[1];
  return code ?? (anchor === undefined ? /^[a-z-]+$/.exec(words)?.[0] : undefined);
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string, root: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page, root).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[*`]/g, '');
    const anchor = words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let copy = 1; anchors.has(unique); copy += 1) unique = `${anchor}-${copy}`;
    anchors.add(unique);
  }
  return anchors;
}

/** A page without its blocks of code, in which nothing is a link or a heading. */
function proseOf(page: string, root: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/^( *)(```+|~~~+).*\n[\s\S]*?^\1\2 *$/gm, '');
}
