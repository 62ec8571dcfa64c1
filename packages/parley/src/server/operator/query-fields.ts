import { toBase64Url } from '../../model/basics/bytes.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import { fromBase64Url } from '../auth/digest.ts';

/** Reads a whole number within bounds; undefined if there is none. Throws INVALID_PARAMS. */
export function numberOf(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new A2AError('INVALID_PARAMS', `${name} must be a whole number from ${least} to ${most}`);
}

/** Reads a time, in milliseconds since the epoch; undefined if there is none. Throws INVALID_PARAMS. */
export function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new A2AError('INVALID_PARAMS', `${name} must be a time such as 2026-01-31T12:00:00Z, not "${quoted(text)}"`);
}

/** A text that is not empty; undefined for all others. */
export function textOf(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) || undefined;
}

/** A place in a list as `next` of a page. */
export function placeToken(place: unknown): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(place)));
}

/** Reads such a place again, from `after`. Throws INVALID_PARAMS for other texts. */
export function placeOf<Place>(query: URLSearchParams, isPlace: (value: unknown) => value is Place): Place | undefined {
  const text = query.get('after');
  if (text === null || text === '') return undefined;
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(text)));
    if (isPlace(place)) return place;
  } catch {
    // Refused below.
  }
  throw new A2AError('INVALID_PARAMS', 'after must be the next of an earlier page');
}
