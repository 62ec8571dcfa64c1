const DIGITS = 4;

/**
 * The text of the chunk with this number, exactly `size` characters: `0001:...`. The number comes first so that a reader
 * sees what is lost or doubled. Where the size has no room for all of the number, its last digits are the text.
 */
export function chunkText(number: number, size: number): string {
  const digits = String(number).padStart(DIGITS, '0');
  if (size <= digits.length) return digits.slice(digits.length - size);
  return `${digits}:`.padEnd(size, '.');
}
