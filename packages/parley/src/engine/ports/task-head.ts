import type { JsonObject } from '../../model/basics/json.ts';
import type { Artifact, TaskStatus } from '../../model/task.ts';
import type { TaskEvent } from '../log/events.ts';

/** The caller that a task, a context, a key or a push config belongs to. */
export interface Owner {
  /** '' = no tenant. */
  readonly tenant: string;
  /** '' = anonymous. */
  readonly subject: string;
}

/** An owner's part of one agent. */
export interface KeyScope extends Owner {
  readonly agent: string;
}

/**
 * The right to append to a task. A new holder takes the next number, so a commit of an earlier holder is refused.
 * `node` is null while no node runs the task.
 */
export interface Lease {
  readonly number: number;
  readonly node: string | null;
}

/** `answerBy` of a task whose run does not only wait: no time comes after it. */
export const AT_WORK = 8_640_000_000_000_000;

/** The small part of a task that each commit rewrites. */
export interface TaskHead {
  readonly id: string;
  readonly agent: string;
  readonly contextId: string;
  readonly owner: Owner;
  readonly createdAt: number;
  readonly status: TaskStatus;
  /** The time at which the status was recorded; lists are ordered by it. */
  readonly statusTime: number;
  /** The last committed seq. */
  readonly seq: number;
  readonly lease: Lease;
  /** See StatusEvent. */
  readonly consumed: number;
  readonly asking: boolean;
  /**
   * The time at which a resumable run stops waiting for the answer, in milliseconds since the epoch. The last time that there
   * is, where the run is at work besides: `AT_WORK`.
   */
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

/**
 * A task as a store holds it. `events` holds, in order, messages and statuses (for the history), and all chunks of artifacts
 * from `head.openFrom` on, also those that a body covers.
 */
export interface StoredTask {
  readonly head: TaskHead;
  readonly bodies: readonly ArtifactBody[];
  readonly events: readonly TaskEvent[];
}
