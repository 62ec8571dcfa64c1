import type { TaskEvent } from '../../engine/log/events.ts';
import type {
  ArtifactBody,
  CommitEntry,
  ContextChange,
  JournalEntry,
  KeyRecord,
  TaskCommit,
  TaskHead,
} from '../../engine/ports.ts';
import type { TaskStatus } from '../../model/task.ts';
import { keysOf } from '../entry-keys.ts';
import { pack } from '../packed-events.ts';
import type { Cell } from './dialect.ts';
import { pushCells } from './follower-rows.ts';
import { nameCell } from './names.ts';

/** Kinds of events in a row of the log; see `log.kinds`. */
const KIND_TALK = 1;
const KIND_CHUNK = 2;

interface LogRow {
  readonly from: number;
  readonly to: number;
  readonly kinds: number;
  readonly body: string;
}

interface ArtifactRow {
  readonly id: string;
  readonly position: number;
  readonly seq: number;
  readonly body: string;
}

interface JournalRow {
  readonly number: number;
  readonly seq: number;
  readonly body: string;
}

interface ContextRow {
  readonly key: string;
  /** Null = to be removed. */
  readonly value: string | null;
  readonly time: number;
  readonly lifetime: number;
}

export interface KeyRow {
  readonly tenant: string;
  readonly subject: string;
  readonly agent: string;
  readonly key: string;
  readonly expiresAt: number;
  readonly digest: string;
  readonly taskId: string | null;
  readonly messageSeq: number | null;
  readonly reply: string | null;
}

/** A task's part of a commit with everything that is JSON already written as such, so that it is cheap to post. */
export interface TaskRow {
  readonly id: string;
  readonly expectedSeq: number;
  readonly expectedLease: number;
  readonly agent: string;
  readonly tenant: string;
  readonly subject: string;
  readonly contextId: string;
  readonly createdAt: number;
  readonly state: string;
  readonly statusTime: number;
  readonly leaseNode: string | null;
  readonly leaseNumber: number;
  readonly seq: number;
  readonly consumed: number;
  /** 0 = no, 1 = yes, else the time until which the answer is waited for. */
  readonly asking: number;
  readonly openFrom: number;
  readonly status: string;
  readonly metadata: string | null;
  readonly log: LogRow | null;
  readonly artifacts: readonly ArtifactRow[];
  readonly journal: readonly JournalRow[];
  /** When the last message of the commit came; null = none did. */
  readonly messageTime: number | null;
  readonly context: readonly ContextRow[];
  /** The cells of push configs; null = none came. */
  readonly push: readonly (readonly Cell[])[] | null;
}

export interface EntryRows {
  readonly task: TaskRow | null;
  readonly keys: readonly KeyRow[];
}

/** Writes entries as rows. A status that did not change since the last commit is not written as JSON again. */
export class RowEncoder {
  readonly #statuses = new WeakMap<TaskStatus, string>();

  encode(entries: readonly CommitEntry[]): readonly EntryRows[] {
    return entries.map((entry) => ({
      task: entry.kind === 'task' ? this.#task(entry) : null,
      keys: keysOf(entry).map(keyRow),
    }));
  }

  #task({ head, expectedSeq, expectedLease, events, bodies, journal, context, pushConfigs }: TaskCommit): TaskRow {
    return {
      id: head.id,
      expectedSeq,
      expectedLease,
      agent: head.agent,
      tenant: nameCell(head.owner.tenant),
      subject: nameCell(head.owner.subject),
      contextId: nameCell(head.contextId),
      createdAt: head.createdAt,
      state: head.status.state,
      statusTime: head.statusTime,
      leaseNode: head.lease.node,
      leaseNumber: head.lease.number,
      seq: head.seq,
      consumed: head.consumed,
      asking: head.asking ? (head.answerBy ?? 1) : 0,
      openFrom: head.openFrom,
      status: this.#status(head),
      metadata: head.metadata ? JSON.stringify(head.metadata) : null,
      log: logRow(events),
      artifacts: bodies.map(artifactRow),
      journal: journal ? journal.map(journalRow) : NONE,
      messageTime: events.findLast((event) => event.kind === 'message')?.time ?? null,
      context: context ? context.map(contextRow) : NO_CHANGES,
      push: pushConfigs ? pushConfigs.map(pushCells) : null,
    };
  }

  #status({ status }: TaskHead): string {
    let written = this.#statuses.get(status);
    if (written === undefined) {
      written = JSON.stringify(status);
      this.#statuses.set(status, written);
    }
    return written;
  }
}

/** Null where there are no events. */
export function logRow(events: readonly TaskEvent[]): LogRow | null {
  const first = events[0];
  if (!first) return null;
  let kinds = 0;
  for (const { kind } of events) {
    if (kind === 'artifact') kinds |= KIND_CHUNK;
    else if (kind !== 'created') kinds |= KIND_TALK;
  }
  return { from: first.seq, to: first.seq + events.length - 1, kinds, body: JSON.stringify(pack(events)) };
}

function artifactRow({ artifact, position, seq }: ArtifactBody): ArtifactRow {
  return { id: nameCell(artifact.artifactId), position, seq, body: JSON.stringify(artifact) };
}

const NONE: readonly JournalRow[] = [];

function journalRow({ number, seq, body }: JournalEntry): JournalRow {
  return { number, seq, body: JSON.stringify(body) };
}

const NO_CHANGES: readonly ContextRow[] = [];

function contextRow({ key, value, time, lifetime }: ContextChange): ContextRow {
  return { key: nameCell(key), value: value === undefined ? null : JSON.stringify(value), time, lifetime };
}

function keyRow({ scope, key, expiresAt, digest, taskId, messageSeq, reply }: KeyRecord): KeyRow {
  return {
    tenant: nameCell(scope.tenant),
    subject: nameCell(scope.subject),
    agent: scope.agent,
    key: nameCell(key),
    expiresAt,
    digest,
    taskId: taskId ?? null,
    messageSeq: messageSeq ?? null,
    reply: reply ? JSON.stringify(reply) : null,
  };
}
