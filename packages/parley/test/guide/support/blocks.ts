import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../setup/support/repository.ts';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line of the page on which its text begins. */
  readonly line: number;
  readonly language: string;
  /** The rest of the first line: `terminal`, `terminal-2` and so on, or the name of a file. */
  readonly word: string;
  readonly text: string;
  /** Why nobody runs it: the comment `<!-- not run: … -->` on the line before it. */
  readonly notRun: string | undefined;
}

const FENCE = /^(?:<!-- not run: (.+) -->\n)?```(\w*)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/** The blocks of a page, in order. Blocks inside of lists are among them only where they are not indented. */
export function readBlocks(page: string): readonly Block[] {
  const source = readFileSync(join(ROOT, page), 'utf8');
  return [...source.matchAll(FENCE)].map((found) => {
    const [whole, notRun, language = '', word = '', text = ''] = found;
    const before = source.slice(0, found.index + whole.length - '```'.length - text.length);
    return { page, line: before.split('\n').length, language, word, text, notRun };
  });
}

/** What the block before this one prints: a plain block of text behind it. */
export function outputAfter(blocks: readonly Block[], index: number): Block | undefined {
  const next = blocks[index + 1];
  return next?.language === 'text' && next.word === '' ? next : undefined;
}
