import type { JsonObject, JsonValue } from '../model/json.ts';
import type { TaskState } from '../model/states.ts';
import type { Artifact, Message, TaskStatus } from '../model/task.ts';
import type { TaskEvent } from './log/events.ts';

/** A value now, or later. In-process stores answer at once and cost no promise. */
export type Awaitable<T> = T | Promise<T>;

/** Whose a task, a context or a key is. */
export interface Owner {
  /** '' = no tenant. */
  readonly tenant: string;
  /** '' = anonymous. */
  readonly subject: string;
}

/**
 * The right to append to a task. A new holder takes the next number, so a commit of an earlier holder is refused.
 * `node` is null while nobody runs the task.
 */
export interface Lease {
  readonly number: number;
  readonly node: string | null;
}

/** The small part of a task that is rewritten by each commit. */
export interface TaskHead {
  readonly id: string;
  readonly agent: string;
  readonly contextId: string;
  readonly owner: Owner;
  readonly createdAt: number;
  readonly status: TaskStatus;
  /** When the status was recorded; lists are ordered by it. */
  readonly statusTime: number;
  /** The last committed seq. */
  readonly seq: number;
  readonly lease: Lease;
  /** See StatusEvent. */
  readonly consumed: number;
  readonly asking: boolean;
  /** When a run that can be resumed stops waiting for the answer, in milliseconds since the epoch. */
  readonly answerBy?: number | undefined;
  /** Seq of the first chunk of the oldest artifact that has not ended; 0 = all have a body. */
  readonly openFrom: number;
  readonly metadata?: JsonObject | undefined;
}

/** An artifact that has ended, written once as a whole so that loading does not need its chunks. */
export interface ArtifactBody {
  readonly artifact: Artifact;
  /** Its place among the task's artifacts. */
  readonly position: number;
  /** The last seq that it includes. */
  readonly seq: number;
}

export interface KeyScope extends Owner {
  readonly agent: string;
}

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
  /** Of the task's context, kept apart for each owner and agent. */
  readonly context?: readonly ContextChange[] | undefined;
  readonly key?: KeyRecord | undefined;
}

/** A bare reply that was given under an idempotency key. */
export interface ReplyCommit {
  readonly kind: 'reply';
  readonly key: KeyRecord;
}

export type CommitEntry = TaskCommit | ReplyCommit;

/**
 * `conflict`: the seq or the lease number is not the expected one. `key-taken`: the idempotency key exists.
 * `context-taken`: the context belongs to another subject. Nothing of a refused entry is written.
 */
export type CommitResult = 'ok' | 'conflict' | 'key-taken' | 'context-taken';

/** What `load` brings of a task beside its head. */
export interface LoadDetail {
  readonly history: boolean;
  readonly artifacts: boolean;
}

/**
 * A task as it lies in a store. `events` holds, in order, those that the head and the bodies do not cover: messages and
 * statuses (for the history) and chunks of artifacts from `head.openFrom` on.
 */
export interface StoredTask {
  readonly head: TaskHead;
  readonly bodies: readonly ArtifactBody[];
  readonly events: readonly TaskEvent[];
}

/** A place in the list order: status time descending, then id descending. */
export interface ListCursor {
  readonly statusTime: number;
  readonly id: string;
}

export interface ListQuery {
  readonly agent: string;
  readonly owner: Owner;
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Inclusive. */
  readonly statusSince?: number | undefined;
  /** Start behind this place. */
  readonly after?: ListCursor | undefined;
  readonly limit: number;
}

export interface ListResult {
  readonly heads: readonly TaskHead[];
  /** Matches of the query, whatever `after` and `limit` are. */
  readonly total: number;
}

export interface ReadLimit {
  readonly events: number;
  readonly bytes: number;
}

/** Which tasks that have ended are to be removed. */
export interface PurgeQuery {
  /** Those whose status was recorded before, in milliseconds since the epoch. */
  readonly endedBefore: number;
  /** Only this one. */
  readonly taskId?: string | undefined;
  /** At most so many. */
  readonly limit: number;
}

/** Where tasks live. `test/contracts/store.ts` says what each method promises, by test. */
export interface Store {
  /** Only one engine uses it at a time, so that leases of other nodes are always stale. */
  readonly exclusive: boolean;
  open(): Awaitable<void>;
  close(): Awaitable<void>;
  /** Durable when it resolves. Entries are independent: one that is refused does not touch the others. */
  commit(entries: readonly CommitEntry[]): Awaitable<readonly CommitResult[]>;
  head(taskId: string): Awaitable<TaskHead | undefined>;
  /** In the order of the ids; unknown ids are left out. */
  load(taskIds: readonly string[], detail: LoadDetail): Awaitable<readonly StoredTask[]>;
  /**
   * Events after a seq, in order, until one limit is reached; at least one if there is any. A store may drop the
   * beginning of a log: readers who ask for it are shown the task instead.
   */
  read(taskId: string, after: number, limit: ReadLimit): Awaitable<readonly TaskEvent[]>;
  /** What the task's runs have recorded, in order. */
  journal(taskId: string): Awaitable<readonly JournalEntry[]>;
  list(query: ListQuery): Awaitable<ListResult>;
  /** Whose a context is; undefined if unknown. */
  contextOwner(tenant: string, contextId: string): Awaitable<Owner | undefined>;
  /** What a context keeps for an owner and agent; empty once its time is up. */
  contextState(scope: KeyScope, contextId: string, now: number): Awaitable<ReadonlyMap<string, JsonValue>>;
  /** A key that has not expired. */
  key(scope: KeyScope, key: string, now: number): Awaitable<KeyRecord | undefined>;
  /** Says that a node is alive until then. */
  heartbeat(node: string, until: number): Awaitable<void>;
  /**
   * Tasks that are leased to a node other than this one which is no longer alive: submitted or working ones, and those
   * that wait for an answer only until some time.
   */
  abandoned(node: string, now: number, limit: number): Awaitable<readonly TaskHead[]>;
  /** Whether that node has a heartbeat that has not run out. Always false for other nodes of an exclusive store. */
  isAlive(node: string, now: number): Awaitable<boolean>;
  /**
   * Removes tasks that are in a terminal state and leased to nobody, each as a whole or not at all: head, log, bodies,
   * journal, and the keys that led to it. A context whose last task goes is nobody's any more, unless it keeps something.
   * Gives the ids of what was removed: at least one if there is any, and fewer than the limit where more would take long.
   */
  purge(query: PurgeQuery): Awaitable<readonly string[]>;
  /** Removes expired keys, what expired contexts keep, contexts that have nothing left, and dead nodes. */
  sweep(now: number): Awaitable<void>;
}

/** A task has committed up to this seq. */
export interface Notice {
  readonly taskId: string;
  readonly seq: number;
}

/** How nodes hear of each other's commits and pass commands to the node that holds a task's lease. */
export interface Bus {
  /** Joins under a node name; `handle` answers commands that other nodes send to it. Values are plain JSON. */
  join(node: string, handle: (command: unknown) => Promise<unknown>): Awaitable<void>;
  leave(node: string): Awaitable<void>;
  publish(node: string, notices: readonly Notice[]): void;
  /** Notices of other nodes about one task, until the returned function is called. */
  watch(node: string, taskId: string, listener: (seq: number) => void): () => void;
  request(node: string, command: unknown): Promise<unknown>;
}

/** Time and turns of the event loop; tests replace it. */
export interface Clock {
  now(): number;
  /**
   * Calls back after so many milliseconds, unless the returned function is called first. Infinity
   * = never. Does not keep a process alive.
   */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back in a later turn of the loop, after I/O that is ready. */
  nextTurn(callback: () => void): void;
}

/** Where the engine says what only operators may read. */
export interface EngineLog {
  error(message: string, details: Readonly<Record<string, unknown>>): void;
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
}
