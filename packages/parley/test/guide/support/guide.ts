import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../setup/support/repository.ts';

export const GUIDE = 'docs/tutorials/guarded-agent.md';

/** One thing that the guide has its reader do. */
export type Step =
  /** Saves a file under this name. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Runs commands in the second terminal until they end. */
  | { readonly kind: 'run'; readonly text: string; readonly seen: string | undefined }
  /** Starts a server in the first terminal, in the place of the one before. */
  | { readonly kind: 'serve'; readonly text: string; readonly seen: string };

interface Block {
  readonly language: string;
  /** The rest of the line: `terminal`, or the name of a file. */
  readonly word: string;
  readonly text: string;
}

function blocksOf(text: string): readonly Block[] {
  const found = text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = '', word = '', block = '']) => ({ language, word, text: block }));
}

/** The steps of the guide, in order. A plain `text` block has what the step before it prints. */
export function readGuide(): readonly Step[] {
  const blocks = blocksOf(readFileSync(join(ROOT, GUIDE), 'utf8'));
  const steps: Step[] = [];
  for (const [index, { language, word, text }] of blocks.entries()) {
    const next = blocks[index + 1];
    const seen = next?.language === 'text' && next.word === '' ? next.text : undefined;
    if (language === 'sh' && word === 'terminal') {
      if (seen === undefined) throw new Error(`The guide does not say what is seen of: ${text}`);
      steps.push({ kind: 'serve', text, seen });
    } else if (language === 'sh' && word === '') steps.push({ kind: 'run', text, seen });
    else if (word !== '') steps.push({ kind: 'file', name: word, text });
    else if (language !== 'text') throw new Error(`The guide has a block that nobody runs: ${text}`);
  }
  return steps;
}

/** Matches what was printed. `…` stands for any text, and spaces for any space: terminals get tables, pipes get tabs. */
export function patternOf(seen: string): RegExp {
  const exact = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(`^\\s*${seen.trim().split('…').map(exact).join('[^]*?')}\\s*$`);
}
