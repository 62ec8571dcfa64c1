import { type Members, NOT_EMPTY, REQUIRED, type Read } from './members.ts';
import type { WireEnum } from './values/enums.ts';
import { parseTimestamp } from './values/timestamps.ts';

/* Members that only requests have: clients, which read responses, do without these readers. */

/** An enum without presence: the number 0 and its name are unset. */
export function readEnum<Value extends string>(
  members: Members,
  names: WireEnum<Value>,
  name: string,
): Value | undefined {
  const value = members.value(name);
  if (value === undefined || value === 0 || value === names.unspecified) return undefined;
  const known = names.values.get(value);
  if (known === undefined) members.reject(name, names.expectation);
  return known;
}

/** A timestamp as milliseconds since the epoch. */
export function readInstant(members: Members, name: string, snakeName?: string): number | undefined {
  const value = members.value(name, snakeName);
  if (value === undefined) return undefined;
  const instant = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (instant === undefined) members.reject(name, 'must be a UTC timestamp such as 2026-01-05T10:15:00.000Z');
  return instant;
}

/** A list of objects with at least one element. */
export function readRequiredList<Value>(
  members: Members,
  name: string,
  snakeName: string | undefined,
  read: Read<Value>,
): readonly Value[] {
  const value = members.value(name, snakeName);
  if (value === undefined) members.reject(name, REQUIRED);
  else if (Array.isArray(value) && value.length === 0) members.reject(name, NOT_EMPTY);
  return members.list(name, snakeName, read);
}
