import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import type { Message } from '../../model/task.ts';
import type { TaskEvent } from '../log/events.ts';
import type { PushConfigRecord } from './followers.ts';
import type { QueuedTurn } from './queue.ts';
import type { ArtifactBody, KeyScope, TaskHead } from './task-head.ts';

/** An idempotency key and what it led to: a task (with the seq of the message), or a bare reply. */
export interface KeyRecord {
  readonly scope: KeyScope;
  readonly key: string;
  /** Digest of the request that first used the key. */
  readonly digest: string;
  readonly expiresAt: number;
  readonly taskId?: string | undefined;
  readonly messageSeq?: number | undefined;
  readonly reply?: Message | undefined;
}

/** Something that a resumable run must not do again, in the order in which it happened. */
export interface JournalEntry {
  /** 1, 2, 3 … for each task. */
  readonly number: number;
  /** The last seq of the log by then: output up to it came before. */
  readonly seq: number;
  readonly body: JsonObject;
}

/** A change of what a context keeps from one task to the next. */
export interface ContextChange {
  readonly key: string;
  /** Undefined removes it. */
  readonly value: JsonValue | undefined;
  /** In milliseconds since the epoch. */
  readonly time: number;
  /** For how many milliseconds after this, and after each later message in the context, everything in it is kept. */
  readonly lifetime: number;
}

/** One task's part of a commit: all of it is written, or none. */
export interface TaskCommit {
  readonly kind: 'task';
  /** The head as it is after the events; `head.lease` is the lease after the commit. */
  readonly head: TaskHead;
  /** The seq that the store must hold; 0 creates the task. */
  readonly expectedSeq: number;
  /** The lease number that the store must hold; 0 creates the task. */
  readonly expectedLease: number;
  readonly events: readonly TaskEvent[];
  readonly bodies: readonly ArtifactBody[];
  readonly journal?: readonly JournalEntry[] | undefined;
  /** Changes of the task's context, kept apart for each owner and agent. */
  readonly context?: readonly ContextChange[] | undefined;
  /** The idempotency keys of its messages. */
  readonly keys?: readonly KeyRecord[] | undefined;
  /** Webhooks of this task that came with messages. */
  readonly pushConfigs?: readonly PushConfigRecord[] | undefined;
  /** The turn that waits for any node from now on; null: none waits any more. Only stores with a queue are handed it. */
  readonly queue?: QueuedTurn | null | undefined;
}

/** A bare reply that was given under an idempotency key. */
export interface ReplyCommit {
  readonly kind: 'reply';
  readonly key: KeyRecord;
}

export type CommitEntry = TaskCommit | ReplyCommit;

/**
 * `conflict`: the seq or the lease number is not the expected one. `key-taken`: an idempotency key exists.
 * `context-taken`: a new task is in a context whose id means that of another owner to this one by now, since it was
 * shared. Nothing of a refused entry is written.
 */
export type CommitResult = 'ok' | 'conflict' | 'key-taken' | 'context-taken';
