import type { JsonObject } from '../../model/basics/json.ts';
import type { Shared } from '../../model/basics/shared-encoding.ts';
import type { Artifact, Message, Task, TaskStatus } from '../../model/task.ts';
import type { TaskNote } from '../../model/task-notes.ts';

/** Every event of a task's log has its place (1, 2, 3 … without gaps) and the time when it was appended. */
interface Logged {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Always the first event. */
export interface CreatedEvent extends Logged {
  readonly kind: 'created';
  readonly metadata?: JsonObject | undefined;
}

/** A message of the caller. */
export interface MessageEvent extends Logged {
  readonly kind: 'message';
  readonly message: Message;
  /** The content is a secret, and is left out. */
  readonly secret?: true | undefined;
}

export interface StatusEvent extends Logged {
  readonly kind: 'status';
  readonly status: TaskStatus;
  /** Added to the task's metadata, member by member. */
  readonly metadata?: JsonObject | undefined;
  /** The notes since the previous status: notes have no frame of their own, so this event brings them to readers. */
  readonly noted?: JsonObject | undefined;
  /**
   * The seq of the last message that the runs had taken when this status was appended. A reader that waits for the answer to
   * a message can tell from the log alone whether this status answers it.
   */
  readonly consumed: number;
  /** The run waits in memory for the answer (`task.ask`); it does not survive the process. */
  readonly asking?: boolean | undefined;
  /**
   * The turn waits for a slot, which readers are not told; the status is appended once more when it has one. False: the first turn
   * of the task has waited until now.
   */
  readonly queued?: boolean | undefined;
}

/** The members of a status beside its state and message; see StatusEvent and TaskHead. */
export interface StatusDetails {
  readonly metadata?: JsonObject | undefined;
  readonly asking?: boolean;
  readonly answerBy?: number | undefined;
  readonly queued?: boolean | undefined;
}

/** A whole artifact or a chunk of one. */
export interface ArtifactEvent extends Logged {
  readonly kind: 'artifact';
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  /** The first part continues the text part before it: a chunk of a streamed string. */
  readonly continues?: boolean | undefined;
  /** Only ends the artifact; its empty text part adds nothing. */
  readonly closing?: boolean | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** Something to be kept with the task, such as the tasks that it has started elsewhere. It has no frame of its own. */
export interface NotedEvent extends Logged, TaskNote {
  readonly kind: 'noted';
}

export type TaskEvent = CreatedEvent | MessageEvent | StatusEvent | ArtifactEvent | NotedEvent;

/** A committed event on its way to readers. */
export interface LogRecord extends Shared<string> {
  readonly event: TaskEvent;
  /** Roughly its size in bytes, for bounding what is held. */
  readonly size: number;
  /** The task right after a status that ends a turn; only on the node that wrote it. */
  task?: Task | undefined;
}

/** Committed events in their order. Readers that are equally far get the same object. */
export interface LogBatch extends Shared<Uint8Array> {
  readonly records: readonly LogRecord[];
}
