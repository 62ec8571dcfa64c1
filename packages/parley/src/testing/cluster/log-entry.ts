import type { TaskState } from '../../model/states.ts';

/** A client is about to send a message, for the first time or again. */
export interface SentEntry {
  readonly kind: 'sent';
  readonly client: string;
  readonly messageId: string;
  /** The digest of the text that the completed task must have, where the sender knows it. */
  readonly expects?: string | undefined;
}

/** A client has been told which task its message is part of. */
export interface AcknowledgedEntry {
  readonly kind: 'acknowledged';
  readonly client: string;
  readonly messageId: string;
  readonly taskId: string;
}

/** A server has begun to respond to a client with a stream. A client has one stream, over one or more connections. */
export interface OpenedEntry {
  readonly kind: 'opened';
  readonly client: string;
  /** The position after which the client asked to go on; undefined where it asked for none. */
  readonly after?: string | undefined;
}

/** A frame of a client's stream, as it came over the wire. */
export interface EventEntry {
  readonly kind: 'event';
  readonly client: string;
  readonly taskId: string;
  /** The id of the frame. */
  readonly position: string;
  readonly what: 'task' | 'status' | 'artifact';
  readonly digest: string;
}

/** A connection was lost, or a request was refused; the client may try again. */
interface LostEntry {
  readonly kind: 'lost';
  readonly client: string;
  readonly operation: string;
  readonly code: string;
}

/** A client takes its stream for complete. */
export interface EndedEntry {
  readonly kind: 'ended';
  readonly client: string;
  readonly taskId: string;
  readonly state: TaskState;
  /** The digest of the text of the task, as the events of the stream make it. */
  readonly text: string;
}

/** A client has failed for good. */
interface GaveUpEntry {
  readonly kind: 'gave-up';
  readonly client: string;
  readonly error: string;
}

/** A task as it is when all clients are done. */
export interface TaskEntry {
  readonly kind: 'task';
  readonly taskId: string;
  /** `missing`: the server does not have the task. */
  readonly state: TaskState | 'missing';
  /** The ids of the caller's messages in its history. */
  readonly messageIds: readonly string[];
  /** The digest of its text. */
  readonly text: string;
}

/** A write of one task that a node's store has accepted. */
export interface CommitLogEntry {
  readonly kind: 'commit';
  readonly node: string;
  readonly taskId: string;
  /** The lease number that the node wrote under. */
  readonly lease: number;
  /** The last seq before the write. */
  readonly from: number;
  /** The last seq after it. */
  readonly to: number;
}

/** One line of a log that clients of a cluster, or its nodes, have written. */
export type ClusterLogEntry =
  | SentEntry
  | AcknowledgedEntry
  | OpenedEntry
  | EventEntry
  | LostEntry
  | EndedEntry
  | GaveUpEntry
  | TaskEntry
  | CommitLogEntry;

/** Takes the entries of a log in the order in which they happen. */
export type ClusterLog = (entry: ClusterLogEntry) => void;
