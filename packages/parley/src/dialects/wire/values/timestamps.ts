const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z$/;

/**
 * A UTC timestamp as milliseconds since the epoch, finer fractions cut off; undefined for another form or a date
 * that no calendar has (reference: v1-data-model, JSON encoding rules 6).
 */
export function parseTimestamp(text: string): number | undefined {
  const match = TIMESTAMP.exec(text);
  const toSeconds = match?.[1];
  if (toSeconds === undefined) return undefined;
  const seconds = Date.parse(`${toSeconds}Z`);
  // `Date.parse` takes February 30th and hour 24 for a later day.
  if (Number.isNaN(seconds) || !new Date(seconds).toISOString().startsWith(toSeconds)) return undefined;
  const fraction = match?.[2];
  return fraction === undefined ? seconds : seconds + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

const ANY_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The same for the looser times of 0.3: with any offset, and in UTC where there is none (reference: mapping §5).
 */
export function parseAnyTimestamp(text: string): number | undefined {
  const [, day, time, fraction = '', zone = 'Z'] = ANY_ZONE.exec(text) ?? [];
  const instant = parseTimestamp(`${day}T${time}${fraction}Z`);
  if (instant === undefined || zone.toUpperCase() === 'Z') return instant;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  const offset = (hours * 60 + minutes) * MINUTE;
  return zone.startsWith('-') ? instant + offset : instant - offset;
}

const MINUTE = 60_000;
