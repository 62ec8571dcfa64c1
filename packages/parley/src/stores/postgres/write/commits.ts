import type { CommitEntry, CommitResult } from '../../../engine/ports.ts';
import { type EntryRows, type KeyRow, RowEncoder } from '../../sql/entry-rows.ts';
import type { Connections } from '../connection/connections.ts';
import { isClash } from '../connection/failures.ts';
import { NameCells, nameCells } from '../names.ts';
import { qualified, quoted } from '../sql.ts';
import { commitCells, nameOfKey, type PreparedEntry } from './commit-cells.ts';

/** The characters that one statement sends, or one larger entry. */
const MOST_CHARACTERS = 16_000_000;

interface Prepared extends PreparedEntry {
  readonly entry: CommitEntry;
}

/** The facts by which an entry is recognised as one that is in the database. */
interface Held {
  readonly seq: number | null;
  readonly lease_number: number | null;
  readonly digest: string | null;
  readonly task_id: string | null;
  readonly message_seq: number | null;
  readonly reply: string | null;
  readonly is_recorded: boolean;
}

const HELD = `SELECT tasks.seq, tasks.lease_number, keys.digest, keys.task_id, keys.message_seq, keys.reply,
  EXISTS (SELECT FROM journal WHERE journal.task = tasks.key AND journal.number = $6) AS is_recorded
  FROM (SELECT 1) AS one LEFT JOIN tasks ON tasks.id = $1
  LEFT JOIN keys ON keys.tenant = $2 AND keys.subject = $3 AND keys.agent = $4 AND keys.key = $5`;

/**
 * Writes batches of entries, each by one call of the database's own function.
 *
 * A call that is lost with its connection may have been carried out, also later than the next attempt begins. So an entry
 * that is refused afterwards is looked up: only one writer has the lease, and its node writes one commit at a time, so a task
 * that stands exactly where this entry leaves it was left there by this entry. Entries of calls that were given up are
 * remembered, and recognised when the same objects are handed in again.
 */
export class Commits {
  readonly #connections: Connections;
  readonly #encoder = new RowEncoder();
  readonly #sql: string;
  readonly #held: string;
  readonly #stripe: number;
  readonly #unsure: WeakSet<CommitEntry> = new WeakSet();

  constructor(connections: Connections, schema: string, stripe: number) {
    this.#connections = connections;
    this.#sql = `SELECT ${quoted(schema)}.commit_1($1, $2, $3, $4, $5, $6, $7, $8, $9) AS results`;
    this.#held = qualified(HELD, schema);
    this.#stripe = stripe;
  }

  async write(entries: readonly CommitEntry[], now: number): Promise<readonly CommitResult[]> {
    if (entries.length === 0) return [];
    const prepared = this.#encoder.encode(entries).map((rows, index): Prepared => {
      const entry = entries[index] as CommitEntry;
      return { entry, rows, turn: entry.kind === 'task' ? entry.queue : undefined };
    });
    const results: CommitResult[] = [];
    for (const batch of batchesOf(prepared)) results.push(...(await this.#call(batch, now)));
    return results;
  }

  async #call(batch: readonly Prepared[], now: number): Promise<readonly CommitResult[]> {
    const names = new NameCells();
    const statement = { sql: this.#sql, cells: commitCells(batch, now, this.#stripe, names) };
    if (names.long.size > 0) await this.#connections.saveNames(names.long);
    let rows: readonly { readonly results: string }[];
    try {
      rows = await this.#connections.commit<{ readonly results: string }>(statement, (kind) => {
        if (kind === 'lost') for (const { entry } of batch) this.#unsure.add(entry);
      });
    } catch (error) {
      return this.#withoutMade(batch, now, error);
    }
    const results = (rows[0]?.results ?? '').split(',') as CommitResult[];
    for (const [index, result] of results.entries()) {
      const prepared = batch[index];
      if (result === 'ok' || !prepared || !this.#unsure.has(prepared.entry)) continue;
      results[index] = await this.#recognise(prepared.rows, result);
    }
    for (const { entry } of batch) this.#unsure.delete(entry);
    return results;
  }

  /**
   * Entries that only add to the journal leave the task where it was, so nothing but their rows tells that an attempt which
   * was lost has made them: the next one clashes with those. The others are written without them.
   */
  async #withoutMade(batch: readonly Prepared[], now: number, error: unknown): Promise<readonly CommitResult[]> {
    if (!isClash(error)) throw error;
    const isMade = await Promise.all(
      batch.map(
        async ({ entry, rows }) => this.#unsure.has(entry) && (await this.#recognise(rows, 'conflict')) === 'ok',
      ),
    );
    const rest = batch.filter((_, index) => !isMade[index]);
    if (rest.length === batch.length) throw error;
    const results = [...(rest.length > 0 ? await this.#call(rest, now) : [])];
    for (const [index, { entry }] of batch.entries()) if (isMade[index]) this.#unsure.delete(entry);
    return isMade.map((made) => (made ? 'ok' : (results.shift() ?? 'conflict')));
  }

  async #recognise({ task, keys }: EntryRows, result: CommitResult): Promise<CommitResult> {
    const [key] = keys;
    const place = [key?.tenant ?? null, key?.subject ?? null, key?.agent ?? null, key?.key ?? null];
    const [held] = await this.#connections.read<Held>(this.#held, [
      task?.id ?? null,
      ...nameCells(place),
      task?.journal.at(-1)?.number ?? null,
    ]);
    if (!held) return result;
    const isThere = task
      ? held.seq === task.seq &&
        held.lease_number === task.leaseNumber &&
        (task.journal.length === 0 || held.is_recorded)
      : key !== undefined && isSameKey(held, key);
    return isThere ? 'ok' : result;
  }
}

function isSameKey(held: Held, { digest, taskId, messageSeq, reply }: KeyRow): boolean {
  return held.digest === digest && held.task_id === taskId && held.message_seq === messageSeq && held.reply === reply;
}

/**
 * Splits entries where a task or a key comes a second time, because what the first of them does decides on the second; and
 * where they are more than one statement should carry.
 */
function* batchesOf(entries: readonly Prepared[]): Generator<readonly Prepared[], void, undefined> {
  let batch: Prepared[] = [];
  let characters = 0;
  const seen = new Set<string>();
  for (const entry of entries) {
    const names = entry.rows.keys.map(nameOfKey);
    if (entry.rows.task) names.push(entry.rows.task.id);
    const size = sizeOf(entry.rows);
    if (batch.length > 0 && (characters + size > MOST_CHARACTERS || names.some((name) => seen.has(name)))) {
      yield batch;
      batch = [];
      characters = 0;
      seen.clear();
    }
    for (const name of names) seen.add(name);
    characters += size;
    batch.push(entry);
  }
  if (batch.length > 0) yield batch;
}

/** Roughly the characters of an entry. */
function sizeOf({ task }: EntryRows): number {
  if (!task) return 0;
  let size = task.status.length + (task.log?.body.length ?? 0);
  for (const { body } of task.artifacts) size += body.length;
  for (const { body } of task.journal) size += body.length;
  return size;
}
