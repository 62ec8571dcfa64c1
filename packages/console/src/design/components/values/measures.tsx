const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });
const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How long ago, in the largest unit that is full. */
export function relativeTime(then: number, now = Date.now()): string {
  const elapsed = now - then;
  for (const [unit, length] of STEPS) {
    if (Math.abs(elapsed) >= length) return RELATIVE.format(-Math.round(elapsed / length), unit);
  }
  return 'now';
}

/** A moment, as how long ago it was; the exact time is its tooltip. */
export function Time({ value, exact }: { readonly value: string | number; readonly exact?: boolean }) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <span>{String(value)}</span>;
  return (
    <time dateTime={date.toISOString()} title={TIME.format(date)}>
      {exact ? TIME.format(date) : relativeTime(date.getTime())}
    </time>
  );
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes with a unit, in steps of 1,000. */
export function formatBytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

export function Bytes({ count }: { readonly count: number }) {
  return <span title={`${count.toLocaleString()} bytes`}>{formatBytes(count)}</span>;
}

/** Milliseconds as a person reads them: 340 ms, 2.4 s, 3 min 5 s. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
