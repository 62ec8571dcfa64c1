import { type JsonValue, json, type Part, text } from 'parley-a2a/client';
import type { AskedQuestion } from 'parley-a2a/extensions';

/** What the page keeps of an answer that is a secret. */
export const HIDDEN: readonly Part[] = [text('(not shown)')];

export interface Answer {
  readonly value: JsonValue | undefined;
  /** A tool of the caller failed, with these words. */
  readonly error?: string | undefined;
}

/**
 * The parts of the message that answers a question. One of several names its question; a tool's result names its call; the only
 * question is answered with the value itself.
 */
export function answerParts({ id, tool }: AskedQuestion, { value, error }: Answer, isOnly: boolean): readonly Part[] {
  if (tool !== undefined)
    return [json(error === undefined ? { toolUseId: id, result: value ?? null } : { toolUseId: id, error })];
  if (!isOnly) return [json({ requestId: id, result: value ?? null })];
  return [typeof value === 'string' ? text(value) : json(value ?? null)];
}
