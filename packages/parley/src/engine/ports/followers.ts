import type { JsonObject } from '../../model/basics/json.ts';
import type { Awaitable } from './awaitable.ts';
import type { Lease, Owner } from './task-head.ts';

/** A webhook that a caller has registered for a task. */
export interface PushConfigRecord {
  readonly taskId: string;
  /** Chosen by the caller or by the server; unique for the task. */
  readonly id: string;
  readonly owner: Owner;
  /** The last seq of the task when the config was made: events after it are delivered. */
  readonly since: number;
  /** In milliseconds since the epoch. */
  readonly createdAt: number;
  /** The dialect in which it was registered, which is that of the deliveries. */
  readonly dialect: string;
  /** URL, credentials and whatever else delivery needs; stores do not look into it. */
  readonly body: JsonObject;
}

/** A webhook that comes with a message: its task and, unless it is known, its place in the log are filled in there. */
export type PushConfigDraft = Omit<PushConfigRecord, 'taskId' | 'since'> & Partial<Pick<PushConfigRecord, 'since'>>;

/** A place in the order of push configs. */
export interface PushConfigPlace {
  readonly taskId: string;
  readonly id: string;
}

export interface PushConfigQuery {
  /** Undefined lists the configs of every task. */
  readonly taskId?: string | undefined;
  /** Undefined lists the configs of every owner, which only operators and the delivery may see. */
  readonly owner?: Owner | undefined;
  /** Without `owner`: only configs of this tenant's owners. */
  readonly tenant?: string | undefined;
  /** The page starts after this place. */
  readonly after?: PushConfigPlace | undefined;
  readonly limit: number;
}

/** Push configs. They go when their task is purged. */
export interface PushConfigFacet {
  /** Writes a config, and replaces one with the same task and id. Returns false if there is no such task. */
  putPushConfig(record: PushConfigRecord): Awaitable<boolean>;
  /** With an owner, only a config of that owner. */
  pushConfig(taskId: string, id: string, owner?: Owner): Awaitable<PushConfigRecord | undefined>;
  /** By task id, then by id, in an order of the store's own that never changes. */
  listPushConfigs(query: PushConfigQuery): Awaitable<readonly PushConfigRecord[]>;
  /** Returns whether it was there. With an owner, only a config of that owner is deleted. */
  deletePushConfig(taskId: string, id: string, owner?: Owner): Awaitable<boolean>;
}

/** The position of a follower of a task's log. */
export interface CursorRecord {
  readonly taskId: string;
  /** The follower's name, unique for the task. That of a push config is its id. */
  readonly follower: string;
  /** The last seq that the follower has dealt with. */
  readonly seq: number;
  /** The right to move the cursor, as with tasks: a new holder takes the next number. */
  readonly lease: Lease;
  /** The follower's own notes, such as its last error and its next try. */
  readonly details?: JsonObject | undefined;
}

/** Positions of followers that outlive a process. They go when their task is purged. */
export interface CursorFacet {
  cursor(taskId: string, follower: string): Awaitable<CursorRecord | undefined>;
  /**
   * Writes a cursor if the store holds the expected lease number; 0 creates it. Returns false, and writes nothing, if it
   * holds another one, or if there is no such task.
   */
  setCursor(record: CursorRecord, expectedLease: number): Awaitable<boolean>;
  deleteCursor(taskId: string, follower: string): Awaitable<void>;
}
