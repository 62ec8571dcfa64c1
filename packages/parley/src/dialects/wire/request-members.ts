import { type Members, NOT_EMPTY, REQUIRED, type Read } from './members.ts';
import type { SecondName } from './snake-case.ts';
import type { WireEnum } from './values/enums.ts';
import { INT32_MAX, INT32_MIN, parseInteger } from './values/integers.ts';
import { parseTimestamp } from './values/timestamps.ts';

/* Members that only requests have: clients, which read responses, do without these readers. */

/** An enum without presence: the number 0 and its name are unset. */
export function readEnum<Value extends string>(
  members: Members,
  names: WireEnum<Value>,
  name: string,
): Value | undefined {
  const value = members.value(name);
  if (value === undefined || value === 0 || value === (names.unspecified ?? '')) return undefined;
  const known = names.values.get(value);
  if (known === undefined) members.reject(name, names.expectation);
  return known;
}

/** An integer has fewer digits than this, whatever its bounds are. */
const LONGEST_INTEGER = 32;

/** An int32 within bounds: a number, or its decimal digits in a string. */
export function readInteger(
  members: Members,
  name: string,
  snakeName: SecondName | undefined,
  minimum: number = INT32_MIN,
  maximum: number = INT32_MAX,
): number | undefined {
  const value = members.value(name, snakeName);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length > LONGEST_INTEGER) {
    members.reject(name, `must be an integer of at most ${LONGEST_INTEGER} characters; this one has ${value.length}`);
    return undefined;
  }
  const integer = parseInteger(value);
  if (integer !== undefined && integer >= minimum && integer <= maximum) return integer;
  members.reject(name, integer === undefined ? 'must be an integer' : `must be between ${minimum} and ${maximum}`);
  return undefined;
}

/** A timestamp as milliseconds since the epoch. */
export function readInstant(members: Members, name: string, snakeName?: SecondName): number | undefined {
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
  snakeName: SecondName | undefined,
  read: Read<Value>,
): readonly Value[] {
  const value = members.value(name, snakeName);
  if (value === undefined) members.reject(name, REQUIRED);
  else if (Array.isArray(value) && value.length === 0) members.reject(name, NOT_EMPTY);
  return members.list(name, snakeName, read);
}
