import { invalidParams } from '../../model/errors/errors.ts';
import type { TaskState } from '../../model/states.ts';
import type { ListCursor, ListQuery } from '../ports.ts';

/** The bytes of the digest that a token has. Enough for nobody to come upon another text with the same. */
const SEAL_BYTES = 16;

/** Characters; ours are shorter by far. */
const LONGEST_TOKEN = 4096;

/** A token belongs to one caller and one set of filters; used elsewhere, or changed, it is refused. */
export async function encodePageToken(
  { statusTime, id }: ListCursor,
  query: ListQuery,
  states?: readonly TaskState[],
): Promise<string> {
  const seal = await sealOf([statusTime, id, ...boundTo(query, states)]);
  return toBase64Url(new TextEncoder().encode(JSON.stringify([seal, statusTime, id])));
}

export async function decodePageToken(
  token: string,
  query: ListQuery,
  states?: readonly TaskState[],
): Promise<ListCursor> {
  const cursor = cursorIn(token);
  // One text for each place: a token that is written in another way is not one of ours.
  if (cursor && (await encodePageToken(cursor, query, states)) === token) return cursor;
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
    const binary = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

/** What a token is bound to beside its place. */
function boundTo({ agent, owner, contextId, state, statusSince }: ListQuery, states: readonly TaskState[] = []) {
  return [agent, owner?.tenant, owner?.subject, contextId, state, statusSince, ...states];
}

/**
 * A digest over the place and all that the token is bound to. It has no key: a caller who computes one gets another
 * place in a list of its own, since what a caller may see is checked by the query.
 */
async function sealOf(bound: readonly unknown[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(bound)));
  return toBase64Url(new Uint8Array(digest, 0, SEAL_BYTES));
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
