import { isLongCell } from '../names.ts';
import { qualified } from '../sql.ts';

/** The most names remembered. */
const MOST_REMEMBERED = 1000;

type Run = <Row>(sql: string, cells: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * Names that are too long for an index. Rows have their digests in their place; the names themselves are in a table of their
 * own, from which they are never removed. Callers hardly ever use such names, and whoever does pays a round trip more.
 */
export class LongNames {
  readonly #remembered: Map<string, string> = new Map();
  readonly #save: string;
  readonly #find: string;

  constructor(schema: string) {
    this.#save = qualified(
      `INSERT INTO long_names (cell, name) SELECT * FROM unnest($1::text[], $2::text[]) AS n(cell, name)
        ORDER BY n.cell ON CONFLICT (cell) DO NOTHING`,
      schema,
    );
    this.#find = qualified('SELECT cell, name FROM long_names WHERE cell = ANY ($1::text[])', schema);
  }

  async save(long: ReadonlyMap<string, string>, run: Run): Promise<void> {
    const names = [...long].filter(([cell]) => !this.#remembered.has(cell));
    if (names.length === 0) return;
    await run(this.#save, [names.map(([cell]) => cell), names.map(([, name]) => name)]);
    for (const [cell, name] of names) this.#remember(cell, name);
  }

  /** Puts the names into rows that have their digests. */
  async fillIn<Row>(rows: readonly Row[], run: Run): Promise<readonly Row[]> {
    const wanted = new Set<string>();
    for (const row of rows) for (const cell of Object.values(row as object)) if (isLongCell(cell)) wanted.add(cell);
    if (wanted.size === 0) return rows;
    const unknown = [...wanted].filter((cell) => !this.#remembered.has(cell));
    const names = new Map([...wanted].map((cell) => [cell, this.#remembered.get(cell)]));
    if (unknown.length > 0) {
      for (const { cell, name } of await run<{ readonly cell: string; readonly name: string }>(this.#find, [unknown])) {
        names.set(cell, name);
        this.#remember(cell, name);
      }
    }
    const fill = (cell: unknown) => (isLongCell(cell) ? (names.get(cell) ?? cell) : cell);
    return rows.map(
      (row) => Object.fromEntries(Object.entries(row as object).map(([name, cell]) => [name, fill(cell)])) as Row,
    );
  }

  #remember(cell: string, name: string): void {
    this.#remembered.set(cell, name);
    if (this.#remembered.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }
}
