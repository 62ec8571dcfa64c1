import type { TaskState } from '../../model/states.ts';
import type { Owner, TaskHead } from './task-head.ts';

/** The parts of a task that `load` returns beside its head. */
export interface LoadDetail {
  readonly history: boolean;
  readonly artifacts: boolean;
}

/** What one `read` returns. The event that reaches a limit is the last one, and is included. */
export interface ReadLimit {
  readonly events: number;
  /** Of the events as JSON, roughly. */
  readonly bytes: number;
}

/** A place in the list order: status time descending, then id descending. */
export interface ListCursor {
  readonly statusTime: number;
  readonly id: string;
}

export interface ListQuery {
  readonly agent: string;
  /** Undefined lists the tasks of every owner, which only operators may see. */
  readonly owner?: Owner | undefined;
  /** Without `owner`: only tasks of this tenant's owners. */
  readonly tenant?: string | undefined;
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Inclusive. */
  readonly statusSince?: number | undefined;
  /** The page starts after this place. */
  readonly after?: ListCursor | undefined;
  readonly limit: number;
}

export interface ListResult {
  readonly heads: readonly TaskHead[];
  /** Matches of the query, whatever `after` and `limit` are. */
  readonly total: number;
}

/**
 * A part of tasks that have ended, which may go before they do. `rows`: nothing goes; what the store keeps of their logs
 * is written in less room. `events`: all events but the last one, without what `load` returns. `journals`: the journal.
 * `deliveries`: push configs and their cursors.
 */
export type TrimmedPart = 'rows' | 'events' | 'journals' | 'deliveries';

/** Selects tasks that have ended, for the removal of one part. */
export interface TrimQuery {
  readonly part: TrimmedPart;
  /** Only tasks whose status was recorded before this time, in milliseconds since the epoch. */
  readonly endedBefore: number;
  /** `next` of the call before; a pass begins without it. */
  readonly after?: string | undefined;
  /** The most tasks that one call trims. */
  readonly limit: number;
}

export interface TrimResult {
  /** The ids of the tasks that were trimmed. */
  readonly tasks: readonly string[];
  /** The place where the pass goes on, in the store's own words; undefined where it is over. */
  readonly next: string | undefined;
}

/** Selects tasks that have ended, for removal. */
export interface PurgeQuery {
  /** Only tasks whose status was recorded before this time, in milliseconds since the epoch. */
  readonly endedBefore: number;
  /** Only this task. */
  readonly taskId?: string | undefined;
  /** Not tasks with a push config whose cursor, or place of its own while it has none, is before the end of the log. */
  readonly keepsUntold?: boolean | undefined;
  /** The most tasks that one call removes. */
  readonly limit: number;
}
