/**
 * The milliseconds that a `Retry-After` asks for, in seconds or by a date, one in the past being 0; undefined if it is
 * neither. `now` in milliseconds since the epoch.
 */
export function retryAfterMs(value: string, now: number): number | undefined {
  const delay = /^[\d.]+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
