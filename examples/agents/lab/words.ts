/** A line of a script that cannot be read; the message says why. */
export class Malformed extends Error {}

/** The first word and what follows it. */
export function split(line: string): readonly [word: string, rest: string] {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/su.exec(line) ?? [];
  return [word, rest];
}

/** Words between spaces, `most` at most. */
export function words(argument: string, most: number): readonly string[] {
  const found = argument.split(/\s+/);
  if (found.length > most) throw new Malformed(most === 1 ? 'It takes one number.' : `It takes 1 to ${most} numbers.`);
  return found;
}

export function wholeNumber(parameter: string, source: string, least: number, most: number): number {
  const value = /^\d+$/.test(source) ? Number(source) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Malformed(
    `${parameter} must be a whole number from ${least} to ${group(most)}, not ${abbreviate(source)}.`,
  );
}

/** With commas between thousands. */
export function group(value: number): string {
  return value.toLocaleString('en-US');
}

/** In quotes, for a sentence. */
export function abbreviate(source: string): string {
  return JSON.stringify(source.length > 40 ? `${source.slice(0, 40)}…` : source);
}
