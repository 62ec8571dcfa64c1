import type { TaskEvent } from '../../engine/log/events.ts';
import type { ArtifactBody, KeyRecord, KeyScope, TaskHead } from '../../engine/ports.ts';
import { type PackedEvent, unpack } from '../packed-events.ts';
import { nameOf } from './names.ts';

export const HEAD_COLUMNS: string = [
  'key, id, agent, tenant, subject, context_id, created_at, status_time, lease_node, lease_number',
  'seq, consumed, asking, open_from, status, metadata',
].join(', ');

/** A row of `tasks`, by `HEAD_COLUMNS`. */
export interface HeadColumns {
  readonly key: number;
  readonly id: string;
  readonly agent: string;
  readonly tenant: string;
  readonly subject: string;
  readonly context_id: string;
  readonly created_at: number;
  readonly status_time: number;
  readonly lease_node: string | null;
  readonly lease_number: number;
  readonly seq: number;
  readonly consumed: number;
  readonly asking: number;
  readonly open_from: number;
  readonly status: string;
  readonly metadata: string | null;
}

export interface LogColumns {
  readonly body: string;
}

export interface ArtifactColumns {
  readonly position: number;
  readonly seq: number;
  readonly body: string;
}

export interface JournalColumns {
  readonly number: number;
  readonly seq: number;
  readonly body: string;
}

export interface KeyColumns {
  readonly expires_at: number;
  readonly digest: string;
  readonly task_id: string | null;
  readonly message_seq: number | null;
  readonly reply: string | null;
}

export function toHead(row: HeadColumns): TaskHead {
  return {
    id: row.id,
    agent: row.agent,
    contextId: nameOf(row.context_id),
    owner: { tenant: nameOf(row.tenant), subject: nameOf(row.subject) },
    createdAt: row.created_at,
    status: JSON.parse(row.status),
    statusTime: row.status_time,
    seq: row.seq,
    lease: { number: row.lease_number, node: row.lease_node },
    consumed: row.consumed,
    asking: row.asking > 0,
    answerBy: row.asking > 1 ? row.asking : undefined,
    openFrom: row.open_from,
    metadata: row.metadata === null ? undefined : JSON.parse(row.metadata),
  };
}

/** The events of a row after a seq. */
export function* toEvents(row: LogColumns, after = 0): Generator<TaskEvent, void, undefined> {
  const packed: readonly PackedEvent[] = JSON.parse(row.body);
  for (const entry of packed) yield* unpack(entry, after);
}

export function toBody(row: ArtifactColumns): ArtifactBody {
  return { artifact: JSON.parse(row.body), position: row.position, seq: row.seq };
}

export function toKeyRecord(scope: KeyScope, key: string, row: KeyColumns): KeyRecord {
  return {
    scope,
    key,
    digest: row.digest,
    expiresAt: row.expires_at,
    taskId: row.task_id ?? undefined,
    messageSeq: row.message_seq ?? undefined,
    reply: row.reply === null ? undefined : JSON.parse(row.reply),
  };
}
