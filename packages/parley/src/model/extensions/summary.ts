import type { JsonObject } from '../basics/json.ts';

/** Summaries: what an agent says of a task in one line, in the task's metadata under this URI. */
export const SUMMARY_EXTENSION = 'urn:parley:ext:summary:v1';

/** The most characters that a summary has. */
const LONGEST_SUMMARY = 200;

/** The summary in a task's metadata; undefined if there is none. */
export function summaryOf(metadata: JsonObject | undefined): string | undefined {
  const value = metadata?.[SUMMARY_EXTENSION];
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_SUMMARY) : undefined;
}

/** Returns the summary that a task keeps: one line, cut to its limit. An empty one takes the summary back. */
export function summaryMark(text: string): JsonObject {
  return { [SUMMARY_EXTENSION]: lineOf(text) };
}

/** A text as one line of a list: without what breaks lines or disguises a text, and cut to what a summary may have. */
export function lineOf(text: string): string {
  return cut(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ').trim());
}

function cut(line: string): string {
  if (line.length <= LONGEST_SUMMARY) return line;
  const characters = Array.from(line);
  let text = '';
  for (const character of characters) {
    if (text.length + character.length > LONGEST_SUMMARY - 1) break;
    text += character;
  }
  return `${text.trimEnd()}…`;
}
