import { escapedControls } from './clean.ts';

/** A word as a shell takes it back. Ids come from remote agents: their control characters are written out, as `$'…'` reads them. */
export function quoted(word: string): string {
  const literal = word.replaceAll('\\', '\\\\');
  const escaped = escapedControls(literal).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  if (escaped !== literal) return `$'${escaped.replaceAll("'", "\\'")}'`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** An option with its value. A value that begins with a hyphen would be another option. */
export function optionWords(option: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${option}=${value}`] : [option, value];
}

/** The last word of a command, which is no option whatever it begins with. */
export function lastWord(word: string): readonly string[] {
  return word.startsWith('-') ? ['--', word] : [word];
}

/** The spelling of `npm create` and its like: they run `init` alone, and npm wants two hyphens before options. */
const CREATOR = /^(npm|pnpm|yarn|bun) create parley-a2a$/;

/** A command with its words as they are, such as `init my-agent --template llm`. */
export function invocation(program: string, line: string): string {
  const [, manager] = CREATOR.exec(program) ?? [];
  if (manager === undefined) return `${program} ${line}`;
  const words = line.replace(/^init ?/, '');
  return `${program} ${manager === 'npm' ? words.replace(/(?<= |^)(?=--|\[OPTIONS)/, '-- ') : words}`;
}

/** A command to paste. */
export function commandLine(program: string, ...words: readonly string[]): string {
  return [program, ...words.map(quoted)].join(' ');
}
