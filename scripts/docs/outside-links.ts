import { posix } from 'node:path';
import { publicPageOf } from './public-address.ts';

/** A link of Markdown outside of blocks of code: words, target. */
const LINK = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
const FENCE = /^( *)(```+|~~~+).*\n[\s\S]*?^\1\2 *$/gm;

/** Says of a file of the repository whether it is where the text will be read. */
export type IsThere = (path: string) => boolean;

/**
 * The text of a page without links that would lead nowhere: those to files that are not there become links to the public
 * repository, or plain words while there is none.
 */
export function withoutOutsideLinks(page: string, text: string, isThere: IsThere, address?: string): string {
  const replaced = (prose: string) =>
    prose.replaceAll(LINK, (link, words: string, target: string) =>
      targetOf(page, target, isThere, address, link, words),
    );
  let result = '';
  let end = 0;
  for (const fence of text.matchAll(FENCE)) {
    result += replaced(text.slice(end, fence.index)) + fence[0];
    end = fence.index + fence[0].length;
  }
  return result + replaced(text.slice(end));
}

function targetOf(
  page: string,
  target: string,
  isThere: IsThere,
  address: string | undefined,
  link: string,
  words: string,
): string {
  if (/^(https?:|mailto:|#)/.test(target)) return link;
  const [path = '', anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '');
  if (isThere(file)) return link;
  const elsewhere = publicPageOf(file, address);
  return elsewhere === undefined ? words : `[${words}](${elsewhere}${anchor === undefined ? '' : `#${anchor}`})`;
}
