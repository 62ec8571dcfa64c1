import type { Logger } from '../../engine/ports.ts';
import { textOfThrown } from '../../model/errors/thrown-text.ts';

/** Characters that break lines, move a cursor or disguise a text: all of them may come from a caller. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
const INDENT = '    ';
const MOST_CAUSES = 8;

/** For operators: one line for each entry, the stack of an error below it, further in. No text can look like an entry. */
export const consoleLog: Logger = {
  error: (message, details) => console.error(entryOf(message, details)),
  warn: (message, details) => console.warn(entryOf(message, details)),
};

/** An entry as text. */
export function entryOf(message: string, details: Readonly<Record<string, unknown>>): string {
  const { error, ...facts } = details;
  const shown = Object.entries(facts).map(([name, value]) => `${onOneLine(name)}=${textOf(value)}`);
  const first = [`[parley] ${onOneLine(message)}`, ...shown].join(' ');
  return 'error' in details ? `${first}\n${stackOf(error)}` : first;
}

/** A text in which control characters are escaped, as in JavaScript. */
function onOneLine(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

function textOf(value: unknown): string {
  return onOneLine(typeof value === 'string' ? JSON.stringify(value) : inJson(value));
}

function inJson(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_name, inner: unknown) => (inner instanceof Error ? String(inner) : inner)) ?? 'undefined'
    );
  } catch {
    return textOfThrown(value);
  }
}

/** The error and its causes, each line of them indented: a line that an error's message begins is no entry. */
function stackOf(error: unknown, depth = 0): string {
  const text = error instanceof Error ? stackText(error) : inJson(error);
  const lines = text.split(/\r?\n/).map((line) => `${INDENT}${onOneLine(line)}`);
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined || depth === MOST_CAUSES) return lines.join('\n');
  return [...lines, `${INDENT}caused by`, stackOf(cause, depth + 1)].join('\n');
}

/** An agent may throw an error that throws when it is read. */
function stackText(error: Error): string {
  try {
    return String(error.stack ?? error);
  } catch {
    return textOfThrown(error);
  }
}
