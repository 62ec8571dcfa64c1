import type { Cell } from '../sql/dialect.ts';

/** As of `nameCell`: marks a name that is kept as JSON. */
const MARK = '\uFFFE';

/** A cell of `nameCell` as Postgres can keep it, which has no U+0000. `nameOf` reads both. */
export function nulCell(cell: string): string {
  return cell.includes('\0') ? MARK + JSON.stringify(cell) : cell;
}

export function nulCells(cells: readonly Cell[]): readonly Cell[] {
  return cells.map((cell) => (typeof cell === 'string' ? nulCell(cell) : cell));
}
