import type { QueuedTurn } from '../../../engine/ports.ts';
import type { Cell } from '../../sql/dialect.ts';
import type { EntryRows, KeyRow, TaskRow } from '../../sql/entry-rows.ts';
import type { NameCells } from '../names.ts';

/** The names of the cells of push configs, in the order of `pushCells`. */
const PUSH = ['task_id', 'id', 'tenant', 'subject', 'since', 'created_at', 'dialect', 'body'] as const;

/** An entry as it is written, and the turn that it queues; null removes the queued one. */
export interface PreparedEntry {
  readonly rows: EntryRows;
  readonly turn: QueuedTurn | null | undefined;
}

/** The rows of a batch, as the function of commits takes them: JSON, and null if there are none. */
export function commitCells(
  entries: readonly PreparedEntry[],
  now: number,
  stripe: number,
  names: NameCells,
): readonly Cell[] {
  const keys: object[] = [];
  const artifacts: object[] = [];
  const journal: object[] = [];
  const context: object[] = [];
  const push: object[] = [];
  const queue: object[] = [];
  const tasks = entries.map(({ rows: { task, keys: taken }, turn }, n) => {
    for (const row of new Map(taken.map((key) => [nameOfKey(key), key])).values()) keys.push(keyObject(n, row, names));
    if (!task) return { n };
    // One row of each id: the last one is what holds.
    const bodies =
      task.artifacts.length > 1 ? new Map(task.artifacts.map((row) => [row.id, row])).values() : task.artifacts;
    for (const { id, position, seq, body } of bodies) artifacts.push({ n, id: names.of(id), position, seq, body });
    for (const { number, seq, body } of task.journal) journal.push({ n, number, seq, body });
    for (const row of task.context) context.push(contextObject(n, task, row, names));
    if (task.push) {
      for (const cells of new Map(task.push.map((row) => [row[1], row])).values())
        push.push(pushObject(n, cells, names));
    }
    if (turn !== undefined) queue.push(queueObject(n, task, turn, names));
    return taskObject(n, task, names);
  });
  const rows = [tasks, keys, artifacts, journal, context, push, queue].map(written);
  return [...rows, now, stripe];
}

export function nameOfKey({ tenant, subject, agent, key }: KeyRow): string {
  return JSON.stringify([tenant, subject, agent, key]);
}

function written(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows);
}

function taskObject(n: number, task: TaskRow, names: NameCells): object {
  const { log } = task;
  return {
    n,
    id: task.id,
    expected_seq: task.expectedSeq,
    expected_lease: task.expectedLease,
    agent: task.agent,
    tenant: names.of(task.tenant),
    subject: names.of(task.subject),
    context_id: names.of(task.contextId),
    created_at: task.createdAt,
    state: task.state,
    status_time: task.statusTime,
    lease_node: task.leaseNode,
    lease_number: task.leaseNumber,
    seq: task.seq,
    consumed: task.consumed,
    asking: task.asking,
    open_from: task.openFrom,
    status: task.status,
    metadata: task.metadata,
    log_from: log?.from,
    log_to: log?.to,
    log_kinds: log?.kinds,
    log_body: log?.body,
    message_time: task.messageTime,
  };
}

function keyObject(n: number, row: KeyRow, names: NameCells): object {
  return {
    n,
    tenant: names.of(row.tenant),
    subject: names.of(row.subject),
    agent: row.agent,
    key: names.of(row.key),
    expires_at: row.expiresAt,
    digest: row.digest,
    task_id: row.taskId,
    message_seq: row.messageSeq,
    reply: row.reply,
  };
}

function contextObject(
  n: number,
  task: TaskRow,
  { key, value, time, lifetime }: TaskRow['context'][number],
  names: NameCells,
): object {
  const place = { tenant: names.of(task.tenant), subject: names.of(task.subject), agent: task.agent };
  return { n, ...place, context_id: names.of(task.contextId), key: names.of(key), value, changed_at: time, lifetime };
}

function queueObject(n: number, task: TaskRow, turn: QueuedTurn | null, names: NameCells): object {
  if (!turn) return { n, task_id: task.id };
  const { priority, arrival, deadline, body } = turn;
  const place = {
    tenant: names.of(task.tenant),
    subject: names.of(task.subject),
    context_id: names.of(task.contextId),
  };
  const order = { rank: -priority, arrival, deadline };
  return { n, task_id: task.id, agent: task.agent, ...place, ...order, body: JSON.stringify(body) };
}

function pushObject(n: number, cells: readonly Cell[], names: NameCells): object {
  const members = PUSH.map((name, index) => {
    const cell = cells[index] ?? null;
    return [name, typeof cell === 'string' && name !== 'body' ? names.of(cell) : cell];
  });
  return { n, ...Object.fromEntries(members) };
}
