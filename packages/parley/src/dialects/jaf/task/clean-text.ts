import type { Part } from '../../../model/task.ts';

/** Control characters, but for the tab and what ends a line. */
const CONTROL = /[^\P{Cc}\t\n\r\u0085]/gu;

/** A text as the document wants it before it is used (seed S1, Content Security). */
export function cleanText(text: string): string {
  return text.replace(CONTROL, '').toWellFormed();
}

/** Data is left as it is: it need not be text. */
export function cleanPart(part: Part): Part {
  const { filename } = part;
  const named = filename === undefined ? part : { ...part, filename: cleanText(filename) };
  return named.kind === 'text' ? { ...named, text: cleanText(named.text) } : named;
}
