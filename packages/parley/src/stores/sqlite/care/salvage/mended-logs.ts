import type { TaskEvent } from '../../../../engine/log/events.ts';
import type { ArtifactBody } from '../../../../engine/ports.ts';
import { isTerminal } from '../../../../model/states.ts';
import { HEAD_COLUMNS, type HeadColumns, toEvents, toHead } from '../../../sql/columns.ts';
import { logRow } from '../../../sql/entry-rows.ts';
import { nameCell } from '../../../sql/names.ts';
import type { Database } from '../../file/driver.ts';
import { historyPlace, KIND_TALK } from '../../write/history-rows.ts';

/** The artifacts that a whole log of an ended task makes. */
export type FoldArtifacts = (id: string, contextId: string, events: readonly TaskEvent[]) => readonly ArtifactBody[];

interface Row {
  readonly seq_from: number;
  readonly seq_to: number;
  readonly body: string;
}

/**
 * Makes the logs of saved tasks whole: what is missing in the middle or at the beginning becomes a log whose beginning was
 * dropped, and what is missing at the end is the status of the head. Returns the ids of the tasks that lost events.
 */
export function mendLogs(database: Database, fold: FoldArtifacts): readonly string[] {
  const shortened: string[] = [];
  const heads = database.prepare<HeadColumns>(`SELECT ${HEAD_COLUMNS} FROM tasks`).all();
  const rowsOf = database.prepare<Row>('SELECT seq_from, seq_to, body FROM log WHERE task = ? ORDER BY seq_to');
  const mending = new LogMending(database);
  for (const columns of heads) {
    const rows = rowsOf.all(columns.key);
    if (isWhole(rows, columns.seq)) {
      mending.addBodies(columns, rows, fold);
      continue;
    }
    mending.replace(columns, rows);
    shortened.push(columns.id);
  }
  return shortened;
}

function isWhole(rows: readonly Row[], seq: number): boolean {
  let before = 0;
  for (const row of rows) {
    if (row.seq_to > 0 && before >= 0 && row.seq_from !== before + 1) return false;
    if (row.seq_to > 0 && eventsOf(row).length !== row.seq_to - row.seq_from + 1) return false;
    before = row.seq_to;
  }
  return before === seq;
}

class LogMending {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces a log by the messages and statuses that are left, and the events after the last gap. */
  replace(columns: HeadColumns, rows: readonly Row[]): void {
    const head = toHead(columns);
    const events = rows.flatMap(eventsOf).filter(({ seq }) => seq <= head.seq);
    const tail = isTerminal(head.status.state) ? [] : tailOf(events, head.seq);
    const last = tail[0] ? undefined : (events.findLast(({ seq }) => seq === head.seq) ?? statusOf(head));
    const kept = last ? [last] : tail;
    const from = kept[0]?.seq ?? head.seq;
    const talk = events.filter(({ kind, seq }) => kind !== 'artifact' && kind !== 'created' && seq < from);
    this.#run('DELETE FROM log WHERE task = ?', columns.key);
    const insert = 'INSERT INTO log (task, seq_from, seq_to, kinds, body) VALUES (?, ?, ?, ?, ?)';
    // Without a message the row still tells that the beginning was dropped.
    const place = historyPlace(talk[0]?.seq ?? 0);
    this.#run(insert, columns.key, place, place, KIND_TALK, JSON.stringify(talk));
    const row = logRow(kept);
    if (row) this.#run(insert, columns.key, row.from, row.to, row.kinds, row.body);
    const openFrom = head.openFrom >= from ? head.openFrom : 0;
    const isTrimmed = isTerminal(head.status.state) ? 1 : 0;
    this.#run('UPDATE tasks SET open_from = ?, trimmed = ? WHERE key = ?', openFrom, isTrimmed, columns.key);
  }

  /** Adds the artifacts of an ended task that its log has and the table of artifacts has not. */
  addBodies(columns: HeadColumns, rows: readonly Row[], fold: FoldArtifacts): void {
    const head = toHead(columns);
    const isFromTheStart = (rows[0]?.seq_from ?? 0) === 1;
    if (!isTerminal(head.status.state) || !isFromTheStart) return;
    const insert =
      'INSERT INTO artifacts (task, id, position, seq, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';
    for (const { artifact, position, seq } of fold(head.id, head.contextId, rows.flatMap(eventsOf))) {
      const cells = [columns.key, nameCell(artifact.artifactId), position, seq, JSON.stringify(artifact)] as const;
      this.#run(insert, ...cells);
    }
  }

  #run(sql: string, ...cells: readonly (string | number | null)[]): void {
    this.#database.prepare(sql).run(...cells);
  }
}

/** The events up to the end that have none missing between them. */
function tailOf(events: readonly TaskEvent[], seq: number): readonly TaskEvent[] {
  let expected = seq;
  let from = events.length;
  while (from > 0 && events[from - 1]?.seq === expected) {
    from -= 1;
    expected -= 1;
  }
  return events.slice(from);
}

function statusOf({ seq, statusTime: time, status, consumed }: ReturnType<typeof toHead>): TaskEvent {
  return { kind: 'status', seq, time, status, consumed };
}

function eventsOf(row: Row): readonly TaskEvent[] {
  try {
    return [...toEvents(row)];
  } catch {
    return [];
  }
}
