import type { Cell } from '../sql/dialect.ts';
import { digestOf } from './name-digest.ts';

/** As of `nameCell`: marks a name that is kept as JSON. */
const MARK = '\uFFFE';
/** Marks the digest of a name that is kept in the table `long_names`; JSON never begins so. */
const LONG_MARK = `${MARK}#`;
/** An entry of an index holds 2704 bytes at most, and up to five names. */
const MOST_BYTES = 400;
const MOST_BYTES_OF_A_CHARACTER = 3;

/** A text as Postgres can keep it, which has no U+0000. `nameOf` reads both. */
export function nulCell(cell: string): string {
  return cell.includes('\0') ? MARK + JSON.stringify(cell) : cell;
}

export function nulCells(cells: readonly Cell[]): readonly Cell[] {
  return cells.map((cell) => (typeof cell === 'string' ? nulCell(cell) : cell));
}

/** The names of a statement as they are kept: long ones by their digests. */
export class NameCells {
  /** The long ones, by their cells; they must be in the table before a statement that writes them. */
  readonly long: Map<string, string> = new Map();

  of(name: string): string {
    const cell = nulCell(name);
    if (cell.length * MOST_BYTES_OF_A_CHARACTER <= MOST_BYTES || byteLength(cell) <= MOST_BYTES) return cell;
    const kept = LONG_MARK + digestOf(cell);
    this.long.set(kept, cell);
    return kept;
  }

  all(cells: readonly Cell[]): readonly Cell[] {
    return cells.map((cell) => (typeof cell === 'string' ? this.of(cell) : cell));
  }
}

/** The cells of a statement that only looks for names. */
export function nameCells(cells: readonly Cell[]): readonly Cell[] {
  return new NameCells().all(cells);
}

/** True for a cell that stands for a name in the table `long_names`. */
export function isLongCell(cell: unknown): cell is string {
  return typeof cell === 'string' && cell.charCodeAt(0) === 0xfffe && cell.startsWith(LONG_MARK);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
