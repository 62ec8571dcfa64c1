/** A line of a text, and whether the other text has no such line. */
export interface ComparedLine {
  readonly text: string;
  readonly differs: boolean;
}

/** Lines that are compared; those after them are shown unmarked. */
const MOST_LINES = 5000;

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Marks the lines of a text that another text does not have. Ids and times are another for each send, so they count as equal;
 * so do the order of members and the commas between them.
 */
export function compared(text: string, other: string): readonly ComparedLine[] {
  const counts = new Map<string, number>();
  for (const line of other.split('\n').slice(0, MOST_LINES)) {
    const key = keyOf(line);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return text.split('\n').map((line, index) => {
    if (index >= MOST_LINES) return { text: line, differs: false };
    const key = keyOf(line);
    const left = counts.get(key) ?? 0;
    if (left > 0) counts.set(key, left - 1);
    return { text: line, differs: left === 0 && key !== '' };
  });
}

function keyOf(line: string): string {
  const plain = line.trim().replace(/,$/, '');
  return /^[{}[\]]+$/.test(plain) ? '' : plain.replace(ID, 'ID').replace(TIME, 'TIME');
}
