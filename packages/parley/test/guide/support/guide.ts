import { type Block, outputAfter, readBlocks } from './blocks.ts';
import type { Shown } from './shown.ts';

export const GUIDE = 'docs/tutorials/guarded-agent.md';

interface Place {
  readonly page: string;
  /** The line of the page on which the commands begin. */
  readonly line: number;
}

/** One thing that a page has its reader do. */
export type Step = Place &
  (
    | /** Saves a file under this name. */
    { readonly kind: 'file'; readonly name: string; readonly text: string }
    /** Runs commands in the second terminal until they end. */
    | { readonly kind: 'run'; readonly text: string; readonly seen: Shown | undefined }
    /** Starts a server in a terminal of its own, in the place of the one that was there. */
    | { readonly kind: 'serve'; readonly terminal: string; readonly text: string; readonly seen: Shown }
    /** Types commands one by one, each with what it prints. */
    | { readonly kind: 'session'; readonly text: string; readonly commands: readonly Command[] }
  );

/** A command after the `$` of a session. */
export interface Command {
  readonly text: string;
  readonly seen: Shown;
}

/**
 * The steps of a page that its reader follows from the first line to the last. Every block is a step, is what a step prints, or
 * says why nobody runs it.
 */
export function readGuide(page: string = GUIDE): readonly Step[] {
  const blocks = readBlocks(page);
  for (const { language, word, text, line, notRun } of blocks) {
    const isStep = word !== '' || notRun !== undefined;
    // A block of code without a name is shown, and type-checked with those of the other pages.
    const isKnown = ['sh', 'text', 'ts'].includes(language);
    if (!isStep && !isKnown) throw new Error(`${page}:${line} has a block that nobody runs: ${text}`);
  }
  return readSteps(page);
}

/** The files and commands of any page. Blocks that show something else, such as code without a name, are no steps. */
export function readSteps(page: string): readonly Step[] {
  const blocks = readBlocks(page);
  return blocks.flatMap((block, index) =>
    block.notRun === undefined ? stepsOf(block, outputAfter(blocks, index)) : [],
  );
}

function stepsOf(block: Block, output: Block | undefined): readonly Step[] {
  const { page, line, language, word, text } = block;
  const place = { page, line };
  if (language === 'console') return [{ ...place, kind: 'session', text, commands: commandsOf(block) }];
  if (language === 'sh' && word.startsWith('terminal')) {
    if (!output) throw new Error(`${page}:${line} does not say what is seen of: ${text}`);
    return [{ ...place, kind: 'serve', terminal: word, text, seen: output }];
  }
  if (language === 'sh' && word === '') return [{ ...place, kind: 'run', text, seen: output }];
  return word === '' ? [] : [{ ...place, kind: 'file', name: word, text }];
}

function commandsOf({ page, line, text }: Block): readonly Command[] {
  const lines = text.trimEnd().split('\n');
  const starts = lines.flatMap((one, index) => (one.startsWith('$ ') ? [index] : []));
  if (starts[0] !== 0) throw new Error(`${page}:${line} begins without a command`);
  return starts.map((start, number) => ({
    text: lines[start]?.slice('$ '.length) ?? '',
    seen: { page, line: line + start + 1, text: lines.slice(start + 1, starts[number + 1]).join('\n') },
  }));
}
