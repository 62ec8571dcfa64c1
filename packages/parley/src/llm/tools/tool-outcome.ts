import { toBase64 } from '../../model/basics/bytes.ts';
import type { LlmLimits } from '../limits.ts';
import type { ToolOutcome } from '../loop/records.ts';

export function errorOutcome(problem: string): ToolOutcome {
  return { type: 'error-text', value: problem };
}

/** The output of a tool as the model sees it, in JSON. */
export function outcomeOf(output: unknown): ToolOutcome {
  if (typeof output === 'string') return { type: 'text', value: output };
  const text = output === undefined ? undefined : JSON.stringify(output);
  return { type: 'json', value: text === undefined ? null : JSON.parse(text) };
}

/** Cuts what is longer than `limits.toolResultLength`, and tells the model so. */
export function boundedOutcome(outcome: ToolOutcome, { toolResultLength: most }: LlmLimits): ToolOutcome {
  if (outcome.type === 'execution-denied') return outcome;
  if (outcome.type === 'text' || outcome.type === 'error-text') {
    return outcome.value.length <= most ? outcome : { ...outcome, value: cut(outcome.value, most) };
  }
  if (outcome.type === 'content') return boundedContent(outcome, most);
  const text = JSON.stringify(outcome.value);
  if (text.length <= most) return outcome;
  return { type: outcome.type === 'error-json' ? 'error-text' : 'text', value: cut(text, most) };
}

type ContentOutcome = Extract<ToolOutcome, { readonly type: 'content' }>;

/** Files in bytes become base64: the journal keeps JSON. */
function boundedContent({ value, ...rest }: ContentOutcome, most: number): ToolOutcome {
  const inJson = value.map((piece) => {
    if (piece.type !== 'file' || piece.data.type !== 'data' || typeof piece.data.data === 'string') return piece;
    const { data } = piece.data;
    return {
      ...piece,
      data: { ...piece.data, data: toBase64(data instanceof Uint8Array ? data : new Uint8Array(data)) },
    };
  });
  const isTooLong = JSON.stringify(inJson).length > most;
  return isTooLong
    ? errorOutcome(`The result of the tool is larger than ${most} characters`)
    : { ...rest, value: inJson };
}

function cut(text: string, most: number): string {
  // Providers refuse a text with half of a character.
  const shown = text.slice(0, most).toWellFormed();
  return `${shown}… [cut: the result has ${text.length} characters, the first ${most} are shown]`;
}
