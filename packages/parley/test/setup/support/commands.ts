import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.ts';

export interface CommandLine {
  readonly page: string;
  /** As the page has it, lines that go on joined. */
  readonly text: string;
}

/**
 * The command lines of a page that a reader types: the blocks of `sh`, what stands after the `$` of `console`, and the commands that are the first
 * cell of a table.
 */
export function commandLinesOf(page: string): readonly CommandLine[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(/^ *```(sh|console)\b[^\n]*\n([\s\S]*?)^ *```$/gm);
  const cells = [...text.matchAll(/^\| `(parley .+?)` \|/gm)].map(([, cell = '']) => ({ page, text: cell }));
  const typedLines = [...blocks].flatMap(([, language, block = '']) => {
    const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
    const typed =
      language === 'sh' ? lines : lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    return typed.map((line) => ({ page, text: line.trim() })).filter((line) => line.text !== '');
  });
  return [...typedLines, ...cells];
}

/** The arguments of `parley` where a command line runs it, however it is started; undefined where it runs something else. */
export function parleyArgumentsOf({ text }: CommandLine): readonly string[] | undefined {
  const start = /(?:^|\$\(|&& |; )(?:[A-Z_]+=\S+ )*(?:npx |npm exec -- |npm run (?:-s )?)?parley(?: --(?= ))? /.exec(
    text,
  );
  if (!start) return undefined;
  return wordsOf(text.slice(start.index + start[0].length));
}

/** The words of a command up to a comment, a pipe, a redirection or the end of a substitution; what stands in brackets may be left out. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.replaceAll(/ \[[^\]]*\]/g, '').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (/^(#|\||>|&|;|2>)/.test(word)) break;
    const isLast = /^[^'"]*\)$/.test(word);
    words.push((isLast ? word.slice(0, -1) : word).replaceAll(/['"]/g, ''));
    if (isLast) break;
  }
  return words;
}
