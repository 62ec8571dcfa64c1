import { RESUME_EXTENSION } from '../../model/card.ts';
import { quoted } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';

/** A place in a stream: all events up to `seq`, a whole number that no log need have, and so many frames of the next. */
export interface Position {
  readonly seq: number;
  readonly frames: number;
}

export const FROM_THE_START: Position = { seq: 0, frames: 0 };

/**
 * The id of a frame: the event's seq where the event ends with it; before that, the seq before the event and how many of
 * its frames have been sent (`4.1`, `4.2`, `5`).
 */
export function positionText(seq: number, index: number, count: number): string {
  return index === count - 1 ? String(seq) : `${seq - 1}.${index + 1}`;
}

/** Where a reader wants to begin. */
export interface ResumePosition {
  /** What comes after this is wanted; undefined where it is malformed. */
  readonly after: Position | undefined;
  /** As it was given, shortened. */
  readonly asked: string;
}

/**
 * Reads the position of a subscription: the header `Last-Event-ID` (or `?after=`), else the same number in the
 * request's metadata under the extension's URI. `hasParts`: events may take several frames there, so that a position may be
 * one within an event.
 */
export function resumePosition(
  lastEventId: string | undefined,
  metadata: JsonObject | undefined,
  hasParts = false,
): ResumePosition | undefined {
  const value = lastEventId ?? metadata?.[RESUME_EXTENSION];
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    after: withinEvent(value, hasParts) ?? afterEvent(value),
    asked: quoted(text.toWellFormed()).toWellFormed(),
  };
}

function afterEvent(value: unknown): Position | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && isWhole(number) ? { seq: number, frames: 0 } : undefined;
}

const WITHIN_EVENT = /^(\d{1,15})\.([1-9]\d{0,5})$/;

function withinEvent(value: unknown, hasParts: boolean): Position | undefined {
  const match = hasParts && typeof value === 'string' ? WITHIN_EVENT.exec(value) : null;
  return match ? { seq: Number(match[1]), frames: Number(match[2]) } : undefined;
}

/** A number that is too large for JavaScript is whole and ahead of every log. */
function isWhole(number: number): boolean {
  return Number.isInteger(number) || number === Number.POSITIVE_INFINITY;
}
