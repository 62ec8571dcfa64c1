import { isTerminal, type TaskState } from '../../../model/states.ts';
import { toEvents } from '../../sql/columns.ts';
import { logRow, type TaskRow } from '../../sql/entry-rows.ts';
import type { FoldedRow } from '../../sql/trim-statements.ts';
import type { TrimTables } from './trim-tables.ts';

/** `log.kinds` of rows that hold chunks alone. */
const CHUNKS_ALONE = 2;
/** Logs with fewer events are left as they are. */
const LEAST_EVENTS = 32;
/** Logs with fewer rows are left as they are. */
const LEAST_ROWS = 8;
/** Rows with this many events on average stay as they are: half of their bytes and more are the events' own. */
const WELL_FILLED = 8;
/** Tasks that may wait for their folding; of further ones the rows stay as they were written. */
const MOST_WAITING = 10_000;
/** Rows and characters that are read at once. */
const ROWS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 1_000_000;
/** The rough size of a folded row: a reader of its last event parses all of it. */
const FOLDED_CHARACTERS = 32_000;

interface Waiting {
  readonly key: number;
  /** Rows up to this seq are done. */
  done: number;
  /** Some of them were folded. */
  isFolded: boolean;
}

/**
 * Folds the logs of tasks that have ended: a slow stream has a row for each chunk, which takes ten times the room of its
 * text. Rows of chunks that follow each other become one; every event and its seq stay. A fast stream has rows of many chunks already,
 * and to write them once more would cost more than it gains. The tasks that wait for it are
 * noted in memory, so after a restart the rows of the last ones stay as they are.
 */
export class LogFolding {
  readonly #tables: TrimTables;
  readonly #waiting: Waiting[] = [];

  constructor(tables: TrimTables) {
    this.#tables = tables;
  }

  get isDone(): boolean {
    return this.#waiting.length === 0;
  }

  /** Notes that a commit of a task was written. */
  note(key: number, { seq, leaseNode, state }: TaskRow): void {
    if (seq < LEAST_EVENTS || leaseNode !== null || !isTerminal(state as TaskState)) return;
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ key, done: 0, isFolded: false });
  }

  /** Works on one task for a moment, inside a transaction of the writer. Returns its id when it was folded to the end. */
  step(endedBefore: number): string | undefined {
    const [waiting] = this.#waiting;
    if (!waiting) return undefined;
    const { key, done } = waiting;
    const task = this.#tables.endedByKey.get(key, endedBefore);
    const { rows, isLast } = task ? this.#take(key, done) : NOTHING;
    const isLong = done > 0 || !isLast || rows.length >= LEAST_ROWS;
    waiting.done = rows.at(-1)?.seq_to ?? done;
    if (isLong && waiting.done - done < rows.length * WELL_FILLED) {
      for (const group of groupsOf(rows)) this.#fold(key, group);
      waiting.isFolded = true;
    }
    if (!isLast) return undefined;
    this.#waiting.shift();
    return waiting.isFolded ? task?.id : undefined;
  }

  #take(key: number, done: number): { readonly rows: readonly FoldedRow[]; readonly isLast: boolean } {
    const rows: FoldedRow[] = [];
    let characters = 0;
    for (const row of this.#tables.rowsAfter.iterate(key, done)) {
      rows.push(row);
      characters += row.body.length;
      if (rows.length >= ROWS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) return { rows, isLast: false };
    }
    return { rows, isLast: true };
  }

  #fold(key: number, rows: readonly FoldedRow[]): void {
    const folded = logRow(rows.flatMap((row) => [...toEvents(row)]));
    if (!folded) return;
    for (const { seq_to } of rows) this.#tables.dropRow.run(key, seq_to);
    this.#tables.insertLog.run(key, folded.from, folded.to, folded.kinds, folded.body);
  }
}

const NOTHING = { rows: [], isLast: true };

/** Rows of chunks that follow each other, two or more. */
function* groupsOf(rows: readonly FoldedRow[]): Generator<readonly FoldedRow[], void, undefined> {
  let group: FoldedRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const isChunks = row.kinds === CHUNKS_ALONE;
    if (!isChunks || characters + row.body.length > FOLDED_CHARACTERS) {
      if (group.length > 1) yield group;
      group = [];
      characters = 0;
    }
    if (!isChunks) continue;
    group.push(row);
    characters += row.body.length;
  }
  if (group.length > 1) yield group;
}
