import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../setup/support/repository.ts';

export const GUIDE = 'docs/tutorials/guarded-agent.md';

/** One thing that a page has its reader do. */
export type Step =
  /** Saves a file under this name. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Runs commands in the second terminal until they end. */
  | { readonly kind: 'run'; readonly text: string; readonly seen: string | undefined }
  /** Starts a server in a terminal of its own, in the place of the one that was there. */
  | { readonly kind: 'serve'; readonly terminal: string; readonly text: string; readonly seen: string };

interface Block {
  readonly language: string;
  /** The rest of the line: `terminal`, `terminal-2` and so on, or the name of a file. */
  readonly word: string;
  readonly text: string;
}

function blocksOf(text: string): readonly Block[] {
  const found = text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = '', word = '', block = '']) => ({ language, word, text: block }));
}

/** The steps of a page, in order. A plain `text` block has what the step before it prints; blocks marked `container` need a daemon and are left out. */
export function readGuide(page: string = GUIDE): readonly Step[] {
  const blocks = blocksOf(readFileSync(join(ROOT, page), 'utf8'));
  const steps: Step[] = [];
  for (const [index, { language, word, text }] of blocks.entries()) {
    const next = blocks[index + 1];
    const seen = next?.language === 'text' && next.word === '' ? next.text : undefined;
    if (language === 'sh' && word.startsWith('terminal')) {
      if (seen === undefined) throw new Error(`${page} does not say what is seen of: ${text}`);
      steps.push({ kind: 'serve', terminal: word, text, seen });
    } else if (language === 'sh' && word === 'container') continue;
    else if (language === 'sh' && word === '') steps.push({ kind: 'run', text, seen });
    else if (word !== '') steps.push({ kind: 'file', name: word, text });
    // A block of code without a name is shown, and type-checked with those of the other pages.
    else if (language !== 'text' && language !== 'ts') throw new Error(`${page} has a block that nobody runs: ${text}`);
  }
  return steps;
}

/** Matches what was printed. `…` stands for any text, and spaces for any space: terminals get tables, pipes get tabs. */
export function patternOf(seen: string): RegExp {
  const exact = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(`^\\s*${seen.trim().split('…').map(exact).join('[^]*?')}\\s*$`);
}
