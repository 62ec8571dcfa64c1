import { RESUME_EXTENSION } from '../model/card.ts';
import { quoted } from '../model/errors.ts';
import type { JsonObject } from '../model/json.ts';

/** Where a reader wants to begin. */
export interface ResumePosition {
  /** Events after this seq are wanted, a whole number that no log need have; undefined where it is malformed. */
  readonly after: number | undefined;
  /** As it was given, shortened. */
  readonly asked: string;
}

/**
 * Reads the position of a subscription: the header `Last-Event-ID` (or `?after=`), else the same number in the
 * request's metadata under the extension's URI.
 */
export function resumePosition(
  lastEventId: string | undefined,
  metadata: JsonObject | undefined,
): ResumePosition | undefined {
  const value = lastEventId ?? metadata?.[RESUME_EXTENSION];
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { after: seqOf(value), asked: quoted(text.toWellFormed()).toWellFormed() };
}

function seqOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && isWhole(number) ? number : undefined;
}

/** A number that is too large for JavaScript is whole and ahead of every log. */
function isWhole(number: number): boolean {
  return Number.isInteger(number) || number === Number.POSITIVE_INFINITY;
}
