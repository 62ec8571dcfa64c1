import type { JsonValue } from '../../model/basics/json.ts';
import type { TaskEvent } from '../log/events.ts';
import type { ApiKeyFacet } from './api-keys.ts';
import type { Awaitable } from './awaitable.ts';
import type { Bus } from './bus.ts';
import type { CommitEntry, CommitResult, JournalEntry, KeyRecord } from './commit.ts';
import type { CursorFacet, PushConfigFacet } from './followers.ts';
import type { KeptValueFacet } from './kept-values.ts';
import type { ListQuery, ListResult, LoadDetail, PurgeQuery, ReadLimit, TrimQuery, TrimResult } from './queries.ts';
import type { QueueFacet } from './queue.ts';
import type { RateFacet } from './rates.ts';
import type { KeyScope, Owner, StoredTask, TaskHead } from './task-head.ts';

/** Tasks and their logs. */
export interface LogFacet {
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
  list(query: ListQuery): Awaitable<ListResult>;
  /**
   * Removes tasks that are in a terminal state and leased to nobody, each as a whole or not at all: everything that any
   * facet keeps of them. A context whose last task goes is gone, unless it keeps something.
   * Returns the ids of the removed tasks: at least one if there is any, and fewer than the limit where more would take
   * long.
   */
  purge(query: PurgeQuery): Awaitable<readonly string[]>;
}

/** The records of resumable runs. Entries are written by `commit`. */
export interface JournalFacet {
  /** The entries of the task's runs, in order. */
  journal(taskId: string): Awaitable<readonly JournalEntry[]>;
}

/** A context that its owner shares with others. */
export interface SharedContext {
  readonly owner: Owner;
  readonly contextId: string;
}

/** `unknown`: the owner has no such context. `taken`: this subject has a context of that id already. */
export type ShareResult =
  | { readonly kind: 'shared' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'taken'; readonly subject: string };

/**
 * Contexts: whose they are, and what they keep from one task to the next. Both are written by `commit`. Two callers may
 * have a context of the same id, and neither learns of the other's.
 */
export interface ContextFacet {
  /**
   * The owner of the context that this id means to the caller: the caller itself, or one who shares it with the caller.
   * Undefined if the caller has none of that id.
   */
  contextOwner(caller: Owner, contextId: string): Awaitable<Owner | undefined>;
  /**
   * Lets subjects of the same tenant use a context of this owner until it is gone. All of them, or none: where one has a
   * context of that id already, its own or another's, nothing is written.
   */
  shareContext(owner: Owner, contextId: string, subjects: readonly string[]): Awaitable<ShareResult>;
  /** The contexts that others share with a subject, at most so many. */
  sharedContexts(member: Owner, limit: number): Awaitable<readonly SharedContext[]>;
  /** The values that a context keeps for an owner and agent; empty once its time is up. */
  contextState(scope: KeyScope, contextId: string, now: number): Awaitable<ReadonlyMap<string, JsonValue>>;
}

/** Idempotency keys. They are written by `commit`. */
export interface KeyFacet {
  /** The record of a key that has not expired. */
  key(scope: KeyScope, key: string, now: number): Awaitable<KeyRecord | undefined>;
}

/** Nodes that share the store, and the tasks of those that died. */
export interface NodeFacet {
  /** Only one engine uses the store at a time, so that leases of other nodes are always stale. */
  readonly exclusive: boolean;
  /**
   * The time by the store's own clock, in milliseconds since the epoch. Where there is one, the times of the other methods here
   * are by this clock, so that those of the nodes need not agree. Default: they are by the clocks of the nodes.
   */
  time?(): Awaitable<number>;
  /** Declares a node alive until then. */
  heartbeat(node: string, until: number): Awaitable<void>;
  /** Tells whether the node has a heartbeat that has not run out. Always false for other nodes of an exclusive store. */
  isAlive(node: string, now: number): Awaitable<boolean>;
  /**
   * Tasks that are leased to a node other than this one which is no longer alive: submitted or working ones, and those
   * that wait for an answer only until some time. Not tasks with a queued turn: `claim` finds those.
   */
  abandoned(node: string, now: number, limit: number): Awaitable<readonly TaskHead[]>;
}

/**
 * Everything that a server keeps. A function that needs one facet asks for that facet alone. `storeContract` of
 * `parley-a2a/testing` checks what each method promises.
 */
export interface Store
  extends LogFacet,
    JournalFacet,
    ContextFacet,
    KeyFacet,
    NodeFacet,
    PushConfigFacet,
    CursorFacet,
    ApiKeyFacet,
    KeptValueFacet {
  open(): Awaitable<void>;
  close(): Awaitable<void>;
  /** A bus of the nodes that share this store, which they have unless they are handed another one. Default: none. */
  bus?(): Bus;
  /** Counts of requests for the rates of callers. Without it each node counts for itself. */
  readonly rates?: RateFacet | undefined;
  /** Writes something that changes nothing; rejects where nothing can be written, e.g. on a full disk. Default: it always can. */
  probe?(): Awaitable<void>;
  /**
   * The turns that wait for any node. Without it, and on an exclusive store, turns wait in the memory of the node that took their
   * message.
   */
  readonly queue?: QueueFacet | undefined;
  /**
   * Removes one part of tasks that are in a terminal state and leased to nobody; the tasks themselves stay, and `load`
   * returns the same as before. Events and push configs stay while a push config of the task has not been told
   * everything. One call looks at so many tasks as take a moment; a pass is over when `next` is undefined. Without this
   * method every part stays as long as its task.
   */
  trim?(query: TrimQuery): Awaitable<TrimResult>;
  /** Removes expired keys, what expired contexts keep, contexts that have nothing left, and dead nodes. */
  sweep(now: number): Awaitable<void>;
}
