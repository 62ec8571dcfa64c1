import type { TaskEvent } from '../../../engine/log/events.ts';
import type { TrimQuery, TrimResult } from '../../../engine/ports.ts';
import { toEvents } from '../../sql/columns.ts';
import { logRow } from '../../sql/entry-rows.ts';
import { historyPlace, KIND_TALK } from './history-rows.ts';
import type { LogFolding } from './log-folding.ts';
import type { TrimTables } from './trim-tables.ts';

/** The rows of the log that are removed at once: a commit may wait. */
const MOST_ROWS = 1000;
/** Tasks with a journal or a webhook that one call looks at. */
const LOOKED_AT = 200;
/** `next` of a pass that has no place: what it has done is done. */
const GOES_ON = 'on';

/** Removes parts of tasks that have ended, inside a transaction of the writer. */
export class Trim {
  readonly #tables: TrimTables;
  readonly #folding: LogFolding;

  constructor(tables: TrimTables, folding: LogFolding) {
    this.#tables = tables;
    this.#folding = folding;
  }

  run(query: TrimQuery): TrimResult {
    switch (query.part) {
      case 'rows':
        return this.#rows(query);
      case 'events':
        return this.#events(query);
      case 'journals':
        return this.#journals(query);
      case 'deliveries':
        return this.#deliveries(query);
    }
  }

  #rows({ endedBefore }: TrimQuery): TrimResult {
    const id = this.#folding.step(endedBefore);
    const tasks = id === undefined ? [] : [id];
    return { tasks, next: this.#folding.isDone ? undefined : GOES_ON };
  }

  #events({ endedBefore, limit }: TrimQuery): TrimResult {
    const found = this.#tables.untrimmed.all(endedBefore, limit);
    const tasks: string[] = [];
    let rows = 0;
    for (const { key, id, seq } of found) {
      const { removed, isWhole } = this.#dropEvents(key, seq, MOST_ROWS - rows);
      rows += removed;
      if (isWhole) tasks.push(id);
      if (rows >= MOST_ROWS) break;
    }
    return { tasks, next: found.length === 0 ? undefined : GOES_ON };
  }

  /** Drops the first rows of a log, all where there are not more: then the last event stays. */
  #dropEvents(key: number, seq: number, mostRows: number): { readonly removed: number; readonly isWhole: boolean } {
    const { rowAt, dropUpTo, insertLog, markTrimmed } = this.#tables;
    const further = rowAt.get(key, mostRows - 1);
    const isWhole = further === undefined || further.seq_to >= seq;
    const upTo = isWhole ? seq : further.seq_to;
    const talk = this.#talkUpTo(key, upTo, isWhole ? seq : undefined);
    const last = isWhole ? this.#lastEvent(key) : undefined;
    const removed = Number(dropUpTo.run(key, upTo).changes);
    const [first] = talk;
    if (first) {
      const place = historyPlace(first.seq);
      insertLog.run(key, place, place, KIND_TALK, JSON.stringify(talk));
    }
    if (last) insertLog.run(key, last.from, last.to, last.kinds, last.body);
    if (isWhole) markTrimmed.run(key);
    return { removed, isWhole };
  }

  /** The messages and statuses of the first rows, but for one event. */
  #talkUpTo(key: number, upTo: number, without: number | undefined): readonly TaskEvent[] {
    const events = this.#tables.talkUpTo.all(key, upTo).flatMap((row) => [...toEvents(row)]);
    return events.filter(({ kind, seq }) => kind !== 'artifact' && kind !== 'created' && seq !== without);
  }

  #lastEvent(key: number): ReturnType<typeof logRow> | undefined {
    const row = this.#tables.lastRow.get(key);
    return row && logRow([...toEvents(row)].slice(-1));
  }

  #journals({ endedBefore, after, limit }: TrimQuery): TrimResult {
    const { nextJournal, endedByKey, dropJournal } = this.#tables;
    const tasks: string[] = [];
    let place = Number(after ?? 0);
    for (let looked = 0; looked < LOOKED_AT && tasks.length < limit; looked += 1) {
      const found = nextJournal.get(place);
      if (!found) return { tasks, next: undefined };
      place = found.task;
      const ended = endedByKey.get(place, endedBefore);
      if (!ended) continue;
      dropJournal.run(place);
      tasks.push(ended.id);
    }
    return { tasks, next: String(place) };
  }

  #deliveries({ endedBefore, after, limit }: TrimQuery): TrimResult {
    const { nextPush, toldById, dropPush, dropCursors } = this.#tables;
    const tasks: string[] = [];
    let place = after ?? '';
    for (let looked = 0; looked < LOOKED_AT && tasks.length < limit; looked += 1) {
      const found = nextPush.get(place);
      if (!found) return { tasks, next: undefined };
      place = found.task_id;
      if (!toldById.get(place, endedBefore)) continue;
      dropPush.run(place);
      dropCursors.run(place);
      tasks.push(place);
    }
    return { tasks, next: place };
  }
}
