let lastTime = Number.NaN;
let lastText = '';

/** Milliseconds since the epoch as ISO 8601. Many statuses share a millisecond, and writing one costs a microsecond. */
export function isoTime(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString();
    lastTime = time;
  }
  return lastText;
}
