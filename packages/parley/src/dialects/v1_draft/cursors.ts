import type { ListPosition } from '../../model/operations.ts';
import { bytes, bytesOf } from '../../model/parts.ts';
import { normalizeBase64 } from '../wire/values/base64.ts';
import { parseAnyTimestamp } from '../wire/values/timestamps.ts';

/**
 * The document's form of a cursor: `base64(timestamp:taskId)`, the time in milliseconds since the epoch. It is a place in
 * the list, not one in a query: with other filters it is the same place in another list.
 */
export function encodeCursor({ statusTime, id }: ListPosition): string {
  return bytes(`${statusTime}:${id}`).bytes;
}

const POSITION = /^(\d{1,16}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z):(.+)$/s;

/** Undefined for other texts. A time may also be written as in a status. */
export function decodeCursor(cursor: string): ListPosition | undefined {
  const content = normalizeBase64(cursor);
  if (content === undefined) return undefined;
  const text = new TextDecoder().decode(bytesOf({ kind: 'bytes', bytes: content }));
  const [, time, id] = POSITION.exec(text) ?? [];
  if (time === undefined || id === undefined) return undefined;
  const statusTime = /^\d+$/.test(time) ? Number(time) : parseAnyTimestamp(time);
  return statusTime !== undefined && Number.isSafeInteger(statusTime) ? { statusTime, id } : undefined;
}
