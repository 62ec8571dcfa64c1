import { invalidParams } from '../../model/errors.ts';
import type { TaskState } from '../../model/states.ts';
import type { ListCursor, ListQuery } from '../ports.ts';

/** A token belongs to one caller and one set of filters; used elsewhere it is refused. */
export function encodePageToken(cursor: ListCursor, query: ListQuery, states?: readonly TaskState[]): string {
  return toBase64Url(JSON.stringify([fingerprint(query, states), cursor.statusTime, cursor.id]));
}

export function decodePageToken(token: string, query: ListQuery, states?: readonly TaskState[]): ListCursor {
  const parsed = parse(token);
  if (Array.isArray(parsed) && parsed.length === 3) {
    const [mark, statusTime, id]: readonly unknown[] = parsed;
    if (mark === fingerprint(query, states) && Number.isSafeInteger(statusTime) && typeof id === 'string') {
      return { statusTime: Number(statusTime), id };
    }
  }
  const description = 'must be a nextPageToken of the same caller and filters';
  throw invalidParams({ field: 'pageToken', description });
}

function parse(token: string): unknown {
  try {
    return JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

function toBase64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** FNV-1a over what the token is bound to. It guards against mistakes; what a caller may see is checked by the query. */
function fingerprint(
  { agent, owner, contextId, state, statusSince }: ListQuery,
  states: readonly TaskState[] = [],
): number {
  const text = JSON.stringify([agent, owner?.tenant, owner?.subject, contextId, state, statusSince, ...states]);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
