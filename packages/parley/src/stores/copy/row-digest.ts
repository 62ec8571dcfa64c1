import { createHash } from 'node:crypto';
import type { CopiedTable, Row } from './copied-tables.ts';

const MODULUS = 2n ** 128n;

/** Sums up the rows of a table, in whatever order they come: equal sums are equal rows. */
export class RowDigest {
  readonly #columns: readonly string[];
  #sum = 0n;
  #rows = 0;

  constructor({ columns }: CopiedTable) {
    this.#columns = columns;
  }

  add(row: Row): void {
    const cells = this.#columns.map((name) => row[name] ?? null);
    const digest = createHash('sha256').update(JSON.stringify(cells)).digest('hex').slice(0, 32);
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % MODULUS;
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  equals(other: RowDigest): boolean {
    return this.#rows === other.#rows && this.#sum === other.#sum;
  }
}
