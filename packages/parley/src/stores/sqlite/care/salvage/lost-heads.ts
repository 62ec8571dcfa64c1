import type { StatusEvent, TaskEvent } from '../../../../engine/log/events.ts';
import type { JsonObject } from '../../../../model/basics/json.ts';
import { withNote } from '../../../../model/task-notes.ts';
import { type LogColumns, toEvents } from '../../../sql/columns.ts';
import type { Database } from '../../file/driver.ts';
import { readFromBothEnds } from './readable-rows.ts';

const INDEXED = 'agent, tenant, subject, context_id, status_time, id, state, key';
const ORDER = 'agent DESC, tenant DESC, subject DESC, context_id DESC, status_time DESC, id DESC';

/**
 * Restores heads of tasks whose log was saved and whose head was not: an index has whose they are, and their log the
 * rest. Returns their number.
 */
export function rebuildHeads(from: Database, to: Database): number {
  const orphans = to.prepare<{ readonly task: number }>(
    'SELECT DISTINCT task FROM log WHERE task NOT IN (SELECT key FROM tasks) AND seq_to > 0',
  );
  const lost = new Set(orphans.all().map(({ task }) => task));
  if (lost.size === 0) return 0;
  const log = to.prepare<LogColumns>('SELECT body FROM log WHERE task = ? ORDER BY seq_to');
  const bodies = to.prepare<{ readonly id: string }>('SELECT id FROM artifacts WHERE task = ?');
  const insert =
    to.prepare(`INSERT INTO tasks (key, id, agent, tenant, subject, context_id, created_at, state, status_time,
      lease_node, lease_number, seq, consumed, asking, open_from, status, metadata)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, 1, ?, ?, 0, ?, ?, ?) ON CONFLICT DO NOTHING`);
  let rebuilt = 0;
  for (const row of indexedTasks(from)) {
    const key = Number(row.key);
    if (!lost.delete(key)) continue;
    const events = log.all(key).flatMap((one) => [...toEvents(one)]);
    const first = events[0];
    const last = events.at(-1);
    if (!first || !last) continue;
    const status = events.findLast((event): event is StatusEvent => event.kind === 'status');
    const timestamp = new Date(Number(row.status_time)).toISOString();
    const shown = status && status.status.state === row.state ? status.status : { state: row.state, timestamp };
    const ended = new Set(bodies.all(key).map(({ id }) => id));
    const { agent = '', tenant = '', subject = '', context_id = '', status_time = 0, id = '', state = '' } = row;
    const place = [key, id, agent, tenant, subject, context_id, first.time, state, status_time] as const;
    const rest = [last.seq, status?.consumed ?? 0, openFrom(events, ended), JSON.stringify(shown), metadataOf(events)];
    insert.run(...place, ...rest);
    rebuilt += 1;
  }
  return rebuilt;
}

function* indexedTasks(from: Database) {
  for (const index of ['tasks_of_context']) {
    try {
      yield* readFromBothEnds(from, `SELECT ${INDEXED} FROM tasks INDEXED BY ${index}`, ORDER).rows;
    } catch {
      // The index is not there, or is damaged from its root.
    }
  }
}

/** The seq of the first chunk of an artifact without a body; 0 for none. */
function openFrom(events: readonly TaskEvent[], ended: ReadonlySet<string>): number {
  const open = events.find((event) => event.kind === 'artifact' && !ended.has(event.artifact.artifactId));
  return open?.seq ?? 0;
}

function metadataOf(events: readonly TaskEvent[]): string | null {
  let metadata: JsonObject | undefined;
  for (const event of events) {
    if (event.kind === 'message' || event.kind === 'artifact' || !event.metadata) continue;
    metadata = withNote(metadata, event.kind === 'noted' ? event : { metadata: event.metadata });
  }
  return metadata === undefined ? null : JSON.stringify(metadata);
}
