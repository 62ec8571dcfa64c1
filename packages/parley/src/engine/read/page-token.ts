import { fingerprintOf } from '../../model/basics/fingerprint.ts';
import { invalidParams } from '../../model/errors/errors.ts';
import type { TaskState } from '../../model/states.ts';
import type { ListCursor, ListQuery } from '../ports.ts';

/** Characters; ours are shorter by far. */
const LONGEST_TOKEN = 4096;

/** A token belongs to one caller and one set of filters; used elsewhere, or changed, it is refused. */
export function encodePageToken(
  { statusTime, id }: ListCursor,
  query: ListQuery,
  states?: readonly TaskState[],
): string {
  const seal = sealOf([statusTime, id, ...boundTo(query, states)]);
  return toBase64Url(asciiJson([seal, statusTime, id]));
}

export function decodePageToken(token: string, query: ListQuery, states?: readonly TaskState[]): ListCursor {
  const cursor = cursorIn(token);
  // One text for each place: a token that is written in another way is not one of ours.
  if (cursor && encodePageToken(cursor, query, states) === token) return cursor;
  const description = 'must be a nextPageToken of the same caller and filters';
  throw invalidParams({ field: 'pageToken', description });
}

function cursorIn(token: string): ListCursor | undefined {
  if (token.length > LONGEST_TOKEN) return undefined;
  const parsed = parse(token);
  if (!Array.isArray(parsed) || parsed.length !== 3) return undefined;
  const [, statusTime, id]: readonly unknown[] = parsed;
  if (!Number.isSafeInteger(statusTime) || typeof id !== 'string') return undefined;
  return { statusTime: Number(statusTime), id };
}

function parse(token: string): unknown {
  try {
    return JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** The query that a token is bound to, beside its place. */
function boundTo(
  { agent, owner, tenant, contextId, state, statusSince }: ListQuery,
  states: readonly TaskState[] = [],
) {
  return [agent, owner?.tenant ?? tenant, owner?.subject, contextId, state, statusSince, ...states];
}

/**
 * A fingerprint of the place and all that the token is bound to. It proves nothing: a caller who computes one gets another
 * place in a list of its own, since what a caller may see is checked by the query.
 */
function sealOf(bound: readonly unknown[]): string {
  return fingerprintOf(JSON.stringify(bound));
}

/** JSON of ASCII characters alone: all others are escaped. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function toBase64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
