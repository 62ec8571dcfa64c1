const MINUTE = 60_000;

const TIMESTAMP = /^[-\d]+T[:\d]+(?:\.\d+)?Z$/;

/**
 * A UTC timestamp as milliseconds since the epoch, finer fractions cut off; undefined for another form or a date
 * that no calendar has (reference: v1-data-model, JSON encoding rules 6).
 */
export function parseTimestamp(text: string): number | undefined {
  return TIMESTAMP.test(text) ? parseAnyTimestamp(text) : undefined;
}

const ANY_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):?(\d\d))?$/i;

/**
 * The same for the looser times of 0.3: with any offset, and in UTC without one (reference: mapping §5).
 */
export function parseAnyTimestamp(text: string): number | undefined {
  const [, day, time, fraction = '', sign, hours, minutes] = ANY_ZONE.exec(text) ?? [];
  const toSeconds = `${day}T${time}`;
  const seconds = Date.parse(`${toSeconds}Z`);
  // `Date.parse` takes February 30th and hour 24 for a later day.
  if (Number.isNaN(seconds) || !new Date(seconds).toISOString().startsWith(toSeconds)) return undefined;
  const offset = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE : 0;
  return seconds + Number(fraction.slice(0, 3).padEnd(3, '0')) - offset;
}
