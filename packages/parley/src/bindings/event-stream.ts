import type { Shared } from '../model/basics/shared-encoding.ts';
import type { Artifact, StreamEvent, Task } from '../model/task.ts';

/** A place in a stream: all events up to `seq`, and so many frames of the next one. No log need have such a `seq`. */
export interface Position {
  readonly seq: number;
  readonly frames: number;
}

export const FROM_THE_START: Position = { seq: 0, frames: 0 };

/** The task as it was after the event `seq`, for a reader that does not have the events before. */
export interface StreamSnapshot {
  readonly task: Task;
  readonly seq: number;
}

/** One event on its way to readers; `EventStream.eventOf` tells what it says. Its encodings are shared by all readers. */
export interface EventRecord extends Shared<string> {
  readonly event: {
    /** `status` and `artifact` are shown to readers; events of other kinds are the log's own. */
    readonly kind: string;
    /** The place in the task's log: 1, 2, 3 … Readers do not see every event, so positions have gaps. */
    readonly seq: number;
  };
}

/** Events in their order. Readers that are equally far get the same object, and may share its encodings. */
export interface EventList extends Shared<Uint8Array> {
  readonly records: readonly EventRecord[];
}

/** All that a reader can have now: perhaps a snapshot, then events. */
export interface EventBatch {
  readonly snapshot: StreamSnapshot | undefined;
  readonly events: EventList;
}

/**
 * The events of one task for one reader. It is polled, without a promise for each event: a stream of many small events
 * would spend more on promises than on its events. A binding turns it into the frames of its own format.
 */
export interface EventStream {
  /** The reader has everything up to here already; undefined where it asked for no position. */
  readonly after: Position | undefined;
  /**
   * Tells what this reader is shown from what others are shown, where its extensions add to events; undefined for what
   * most see. Encodings are shared only among readers of the same form.
   */
  readonly form?: string | undefined;
  /** Others read the same task here: an encoding of a whole list is worth keeping. */
  readonly isShared: boolean;
  /** Nothing more will come. */
  readonly isOver: boolean;
  /** The reader got all that the stream was to bring; false where it was closed before. */
  readonly isComplete: boolean;
  /** Returns what is ready; undefined where that is nothing yet, or where the stream is over. Throws where it is lost. */
  poll(): EventBatch | undefined;
  /** Calls back once, as soon as `poll` has something new to say. Only one callback waits at a time. */
  whenReady(callback: () => void): void;
  /** Frees what the stream holds; a waiting callback is called. */
  close(): void;
  /** Returns the event of a record of this stream, as this reader may see it; undefined where it is not shown. */
  eventOf(record: EventRecord): StreamEvent | undefined;
  /**
   * Returns the artifact of a record that only continues a streamed text. All such records of an artifact are alike but
   * for that text, so that a binding can write them by a template. Undefined for all others.
   */
  textChunkOf(record: EventRecord): Artifact | undefined;
}

/** The needs of a binding and its dialect in a stream. All may be left out. */
export interface StreamForm {
  /** The stream of a send goes on while the task waits for its caller. Default: it ends there. */
  readonly staysOpen?: boolean | undefined;
  /**
   * The positions that frames have: one for each event (the default), one for each of an event's frames, or none, so that
   * every stream begins with the task.
   */
  readonly positions?: 'events' | 'frames' | 'none' | undefined;
  /** The writer of frames depends on earlier events: it is shown those too that its reader has. */
  readonly remembers?: boolean | undefined;
}
