/** Values that are nested deeper than this are not written. */
export const DEEPEST = 100;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Writes JSON in the one form of RFC 8785. Throws a TypeError for what has none: lone surrogates, numbers that are not finite. */
export function canonicalJson(value: unknown, levels: number = DEEPEST): string {
  if (typeof value === 'string') return textOf(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('a number is not finite');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (levels === 0) throw new TypeError(`it is nested deeper than ${DEEPEST} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, levels - 1)).join(',')}]`;
  // Sorted by UTF-16 code units, as RFC 8785 wants it.
  const names = Object.keys(value).sort();
  const record = value as Readonly<Record<string, unknown>>;
  return `{${names.map((name) => `${textOf(name)}:${canonicalJson(record[name], levels - 1)}`).join(',')}}`;
}

function textOf(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('a text has half of a surrogate pair');
  return JSON.stringify(text);
}

/** The same JSON with every character outside of ASCII as an escape, as Python writes it by default. */
export function escapedToAscii(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
