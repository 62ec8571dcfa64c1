import type { Part } from '../../model/task.ts';

/** Control characters, but for the tab and what ends a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are taken out.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;

/** A text as the document wants it before anybody works with it (seed S1, Content Security). */
export function cleanText(text: string): string {
  return text.replace(CONTROL, '').toWellFormed();
}

/** Data is left as it is: it need not be text. */
export function cleanPart(part: Part): Part {
  const { filename } = part;
  const named = filename === undefined ? part : { ...part, filename: cleanText(filename) };
  return named.kind === 'text' ? { ...named, text: cleanText(named.text) } : named;
}
