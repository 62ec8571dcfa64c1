import { toBase64Url } from '../../../model/basics/bytes.ts';
import { isPlainObject } from '../../../model/basics/json.ts';
import { invalidParams } from '../../../model/errors/errors.ts';
import { fromBase64Url } from '../../auth/digest.ts';

/** A place in the list of a task's configs as a page token. */
export function encodePlace(taskId: string, id: string): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify({ taskId, id })));
}

/** The id after which a page begins. Throws INVALID_PARAMS for an invalid token, or that of another list. */
export function decodePlace(token: string, taskId: string): string {
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(token)));
    if (isPlainObject(place) && place.taskId === taskId && typeof place.id === 'string') return place.id;
  } catch {
    // Refused below.
  }
  throw invalidParams({ field: 'pageToken', description: 'is not one that this list has returned' });
}
