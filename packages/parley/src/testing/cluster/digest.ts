const FIRST = [0x811c9dc5, 0x9747b28c] as const;
const FACTORS = [0x01000193, 0x85ebca6b] as const;

/** A short name of a text: two texts that differ have different ones, but for one pair in 2^64. No secret. */
export function digestOf(text: string): string {
  let [one, other]: readonly [number, number] = FIRST;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, FACTORS[0]);
    other = Math.imul(other ^ code, FACTORS[1]);
    other ^= other >>> 13;
  }
  return hex(one) + hex(other);
}

/** The share of a name when names are dealt out to `count`. */
export function shareOf(name: string, count: number): number {
  return count === 1 ? 0 : Number.parseInt(digestOf(name).slice(0, 8), 16) % count;
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
