import type { TaskEvent } from '../../../engine/log/events.ts';
import type { TrimQuery, TrimResult } from '../../../engine/ports.ts';
import { type LogColumns, toEvents } from '../../sql/columns.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { logRow } from '../../sql/entry-rows.ts';
import { trimStatements } from '../../sql/trim-statements.ts';
import type { Connections, Query } from '../connection/connections.ts';

/** The rows of the log that one transaction removes. */
const MOST_ROWS = 1000;
/** Tasks with a journal or a webhook that one call looks at. */
const LOOKED_AT = 200;
/** `next` of a pass that has no place: what it has done is done. */
const GOES_ON = 'on';
/** Added to a seq, gives the place of a row that only histories have: before the beginning of any log, in order. */
const BEFORE_ALL = -(2 ** 40);
const KIND_TALK = 1;
/** Behind a statement that picks a task: one that another node trims or purges in this moment is left to it. */
const UNLESS_TAKEN = 'FOR UPDATE OF tasks SKIP LOCKED';

interface Untrimmed {
  readonly key: number;
  readonly id: string;
  readonly seq: number;
}

/**
 * Removes parts of tasks that have ended, a small transaction for each call. Rows of logs are not folded: what a row costs
 * beside its text is little here.
 */
export class Trim {
  readonly #connections: Connections;
  readonly #sql: ReturnType<typeof trimStatements>;

  constructor(connections: Connections, dialect: SqlDialect) {
    this.#connections = connections;
    this.#sql = trimStatements(dialect);
  }

  async run(trim: TrimQuery): Promise<TrimResult> {
    switch (trim.part) {
      case 'rows':
        return { tasks: [], next: undefined };
      case 'events':
        return this.#connections.transaction((query) => this.#events(query, trim));
      case 'journals':
        return this.#connections.transaction((query) => this.#journals(query, trim));
      case 'deliveries':
        return this.#connections.transaction((query) => this.#deliveries(query, trim));
    }
  }

  async #events(query: Query, { endedBefore, limit }: TrimQuery): Promise<TrimResult> {
    const found = await query<Untrimmed>(`${this.#sql.untrimmed} ${UNLESS_TAKEN}`, [endedBefore, limit]);
    const tasks: string[] = [];
    let rows = 0;
    for (const task of found.rows) {
      const { removed, isWhole } = await this.#dropEvents(query, task, MOST_ROWS - rows);
      rows += removed;
      if (isWhole) tasks.push(task.id);
      if (rows >= MOST_ROWS) break;
    }
    return { tasks, next: found.rows.length === 0 ? undefined : GOES_ON };
  }

  /** Drops the first rows of a log, all where there are not more: then the last event stays. */
  async #dropEvents(query: Query, { key, seq }: Untrimmed, mostRows: number) {
    const { rowAt, talkUpTo, lastRow, dropUpTo, insertLog, markTrimmed } = this.#sql;
    const further = (await query<{ readonly seq_to: number }>(rowAt, [key, mostRows - 1])).rows[0];
    const isWhole = further === undefined || further.seq_to >= seq;
    const upTo = isWhole ? seq : further.seq_to;
    const spoken = await query<LogColumns>(talkUpTo, [key, upTo]);
    const talk = talkOf(spoken.rows, isWhole ? seq : undefined);
    const lastRows = isWhole ? (await query<LogColumns>(lastRow, [key])).rows : [];
    const last = logRow(lastRows.flatMap((row) => [...toEvents(row)].slice(-1)));
    const removed = (await query(dropUpTo, [key, upTo])).rowCount;
    const place = (talk[0]?.seq ?? 0) + BEFORE_ALL;
    if (talk.length > 0) await query(insertLog, [key, place, place, KIND_TALK, JSON.stringify(talk)]);
    if (last) await query(insertLog, [key, last.from, last.to, last.kinds, last.body]);
    if (isWhole) await query(markTrimmed, [key]);
    return { removed, isWhole };
  }

  async #journals(query: Query, { endedBefore, after, limit }: TrimQuery): Promise<TrimResult> {
    const { nextJournal, endedByKey, dropJournal } = this.#sql;
    const tasks: string[] = [];
    let place = Number(after ?? 0);
    for (let looked = 0; looked < LOOKED_AT && tasks.length < limit; looked += 1) {
      const next = (await query<{ readonly task: number }>(nextJournal, [place])).rows[0];
      if (!next) return { tasks, next: undefined };
      place = next.task;
      const [ended] = (await query<{ readonly id: string }>(`${endedByKey} ${UNLESS_TAKEN}`, [place, endedBefore]))
        .rows;
      if (!ended) continue;
      await query(dropJournal, [place]);
      tasks.push(ended.id);
    }
    return { tasks, next: String(place) };
  }

  async #deliveries(query: Query, { endedBefore, after, limit }: TrimQuery): Promise<TrimResult> {
    const { nextPush, toldById, dropPush, dropCursors } = this.#sql;
    const tasks: string[] = [];
    let place = after ?? '';
    for (let looked = 0; looked < LOOKED_AT && tasks.length < limit; looked += 1) {
      const next = (await query<{ readonly task_id: string }>(nextPush, [place])).rows[0];
      if (!next) return { tasks, next: undefined };
      place = next.task_id;
      if ((await query(`${toldById} ${UNLESS_TAKEN}`, [place, endedBefore])).rowCount === 0) continue;
      await query(dropPush, [place]);
      await query(dropCursors, [place]);
      tasks.push(place);
    }
    return { tasks, next: place };
  }
}

/** The messages and statuses of rows, but for one event. */
function talkOf(rows: readonly LogColumns[], without: number | undefined): readonly TaskEvent[] {
  const events = rows.flatMap((row) => [...toEvents(row)]);
  return events.filter(({ kind, seq }) => kind !== 'artifact' && kind !== 'created' && seq !== without);
}
