/** What a page says that a command prints. */
export interface Shown {
  readonly page: string;
  /** The line of the page on which it begins. */
  readonly line: number;
  readonly text: string;
}

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Tells whether this was printed. `…` and ids stand for any text, and spaces for any space: terminals get tables, pipes get tabs. */
export function isShown(printed: string, { text }: Pick<Shown, 'text'>): boolean {
  const [first = '', ...others] = text.trim().replaceAll(IDS, '…').split('…').map(unspaced);
  const rest = unspaced(printed.trimStart());
  if (!rest.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return rest.trimEnd() === first;
  let position = first.length;
  for (const piece of others) {
    const found = rest.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return last === '' || rest.trimEnd().slice(position).endsWith(last);
}

const unspaced = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Throws an error that names the line of the page and has both texts, where something else was printed. */
export function assertShown(printed: string, shown: Shown): void {
  if (isShown(printed, shown)) return;
  const lines = shown.text.trimEnd().split('\n');
  const same = lines.findLastIndex((_, index) =>
    isShown(printed, { text: `${lines.slice(0, index + 1).join('\n')}…` }),
  );
  throw new Error(
    [
      `${shown.page}:${shown.line + same + 1} does not show what is printed`,
      '--- the page shows',
      shown.text.trimEnd(),
      '--- printed was',
      printed.trimEnd(),
    ].join('\n'),
  );
}
