import type { ReceivedEvent } from '../../bindings/caller.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import type { Timing } from '../call/timing.ts';
import type { ReconnectInfo, ReconnectSettings } from '../options.ts';

/** The events of one connection. */
export type Received = AsyncIterableIterator<ReceivedEvent>;

/**
 * The events that follow from one thing received. They are applied as they are taken, so that what the stream has come to
 * is always what its reader has seen.
 */
export type Batch = Iterable<StreamEvent>;

/** The requests that a stream is made of. Each function makes one request. */
export interface StreamSource {
  /** The server has the resume extension: ids of events are positions, and a send can be repeated. */
  readonly resumes: boolean;
  /** A subscription begins with the task as it is (1.0); in 0.3 it need not. */
  readonly beginsWithTask: boolean;
  /** Streams begin with ids and status of the task alone. */
  readonly beginsWithHead?: boolean | undefined;
  /** The server has no streams: the client polls the task from the beginning. */
  readonly isPolled?: boolean | undefined;
  /** Undefined for a subscription. */
  readonly send: (() => Promise<Received>) | undefined;
  /** The message that is sent. */
  readonly message: Message | undefined;
  readonly subscribe: (taskId: string, lastEventId: string | undefined) => Promise<Received>;
  readonly getTask: (taskId: string) => Promise<Task>;
}

export interface ResumingOptions {
  readonly settings: ReconnectSettings;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly onReconnect: ((info: ReconnectInfo) => void) | undefined;
  /** The largest task that events may add up to, in characters. */
  readonly taskBytes: number;
  /** The task to subscribe to, and the position after which the stream begins. */
  readonly taskId?: string | undefined;
  readonly lastEventId?: string | undefined;
  /** The task as the reader has it already. */
  readonly known?: Task | undefined;
}
