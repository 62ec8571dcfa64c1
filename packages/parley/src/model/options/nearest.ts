/** The word that was probably meant, if any is near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const begun = known.filter((one) => wanted.length >= 2 && one.startsWith(wanted));
  if (begun.length === 1) return begun[0];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = known
    .map((one) => ({ one, distance: distance(wanted, one) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.one;
}

/** Insertions, deletions, replacements and swaps of neighbours that make one word of the other. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let least = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
      );
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) least = Math.min(least, at(row - 2, column - 2) + 1);
      line.push(least);
    }
  }
  return at(from.length, to.length);
}
