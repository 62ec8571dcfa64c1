import type { Position } from '../../bindings/event-stream.ts';
import type { ReadFrom } from '../../engine/read/read-from.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { RESUME_EXTENSION } from '../../model/card.ts';
import { quoted } from '../../model/errors/errors.ts';

/** The position that a reader asks for. */
interface ResumePosition {
  /** The reader wants the events after this; undefined where it is malformed. */
  readonly after: Position | undefined;
  /** As the request has it, shortened. */
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

/** The same for the engine. `alsoEnded`, `fromStart`: see SubscribeInput and ReadFrom. */
export function readFromOf(position: ResumePosition | undefined, alsoEnded?: boolean, fromStart?: boolean): ReadFrom {
  if (!position) return alsoEnded ? 'snapshot' : 'now';
  return position.after ? { after: position.after.seq, fromStart } : { gap: 'malformed' };
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
