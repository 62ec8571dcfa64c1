const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A span of time for which something is kept, in words; `otherwise` where there is none. */
export function describeSpan(milliseconds: number | undefined, otherwise: string): string {
  if (milliseconds === undefined) return otherwise;
  for (const [unit, length] of UNITS) {
    if (milliseconds >= length) {
      const count = Math.round((milliseconds / length) * 10) / 10;
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
    }
  }
  return `${milliseconds} ms`;
}
