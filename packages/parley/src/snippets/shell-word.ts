import { quoted } from '../cli/text/shell.ts';
import type { Disguised } from './secrets.ts';

/** A word of a shell's command line: texts as they are, secrets as variables without which the command stops. */
export function shellWord(...pieces: readonly Disguised[]): string {
  const written: string[] = [];
  let text = '';
  for (const { before, variable, after = '' } of pieces) {
    text += before;
    if (variable === undefined) continue;
    if (text !== '') written.push(quoted(text));
    written.push(`"\${${variable}:?}"`);
    text = after;
  }
  if (text !== '' || written.length === 0) written.push(quoted(text));
  return written.join('');
}

/** More would not fit into one argument of a program (128 KiB on Linux). */
export const LARGEST_WORD = 100_000;

/** Hands a text to the standard input of a command, as it is. `printf` is part of the shell and takes any length. */
export function pipedInto(text: string, command: string): string {
  return `printf %s ${shellWord({ before: text })} | ${command}`;
}

/** A command on several lines: the words of each line belong together. */
export function commandLines(lines: readonly (readonly string[])[]): string {
  return lines.map((words) => words.join(' ')).join(' \\\n  ');
}
