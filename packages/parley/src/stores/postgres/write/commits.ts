import type { CommitResult } from '../../../engine/ports.ts';
import type { EntryRows } from '../../sql/entry-rows.ts';
import type { Connections } from '../connection/connections.ts';
import { quoted } from '../sql.ts';
import { commitCells, nameOfKey } from './commit-cells.ts';

/** Writes batches of entries, each by one call of the database's own function. */
export class Commits {
  readonly #connections: Connections;
  readonly #sql: string;
  readonly #stripe: number;

  constructor(connections: Connections, schema: string, stripe: number) {
    this.#connections = connections;
    this.#sql = `SELECT ${quoted(schema)}.commit_1($1, $2, $3, $4, $5, $6, $7, $8) AS results`;
    this.#stripe = stripe;
  }

  async write(entries: readonly EntryRows[], now: number): Promise<readonly CommitResult[]> {
    const results: CommitResult[] = [];
    for (const batch of batchesOf(entries)) results.push(...(await this.#call(batch, now)));
    return results;
  }

  async #call(entries: readonly EntryRows[], now: number): Promise<readonly CommitResult[]> {
    const statement = { sql: this.#sql, cells: commitCells(entries, now, this.#stripe) };
    const rows = await this.#connections.commit<{ readonly results: string }>(statement, () => {});
    return (rows[0]?.results ?? '').split(',') as CommitResult[];
  }
}

/** Splits entries where a task or a key comes a second time: what the first of them does decides on the second. */
function* batchesOf(entries: readonly EntryRows[]): Generator<readonly EntryRows[], void, undefined> {
  let batch: EntryRows[] = [];
  const seen = new Set<string>();
  for (const entry of entries) {
    const names = entry.keys.map(nameOfKey);
    if (entry.task) names.push(entry.task.id);
    if (names.some((name) => seen.has(name))) {
      yield batch;
      batch = [];
      seen.clear();
    }
    for (const name of names) seen.add(name);
    batch.push(entry);
  }
  if (batch.length > 0) yield batch;
}
