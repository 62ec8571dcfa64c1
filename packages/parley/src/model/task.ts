import type { JsonObject, JsonValue } from './basics/json.ts';
import type { TaskState } from './states.ts';

/** Attributes of every kind of part. */
export interface PartAttributes {
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface TextPart extends PartAttributes {
  readonly kind: 'text';
  readonly text: string;
}

/** Inline file content. The bytes are kept as standard base64 text, as the JSON wires carry them. */
export interface BytesPart extends PartAttributes {
  readonly kind: 'bytes';
  readonly bytes: string;
}

/** File content that lives at an address. */
export interface LinkPart extends PartAttributes {
  readonly kind: 'link';
  readonly url: string;
}

/** Any JSON value, `null` included. */
export interface DataPart extends PartAttributes {
  readonly kind: 'data';
  readonly data: JsonValue;
}

export type Part = TextPart | BytesPart | LinkPart | DataPart;

export type Role = 'user' | 'agent';

/** One turn of talk. */
export interface Message {
  readonly messageId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly contextId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** A result of a task. */
export interface Artifact {
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface TaskStatus {
  readonly state: TaskState;
  /** The agent's message about this state. It moves to the history when the next status replaces it. */
  readonly message?: Message | undefined;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly timestamp: string;
}

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts: readonly Artifact[];
  /** Oldest first. */
  readonly history: readonly Message[];
  readonly metadata?: JsonObject | undefined;
}

export interface StatusUpdate {
  readonly kind: 'status';
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  /** Added to the task's metadata, member by member. */
  readonly metadata?: JsonObject | undefined;
}

/** An artifact or a chunk of one. `append: false` starts or replaces it, `lastChunk` ends it. */
export interface ArtifactUpdate {
  readonly kind: 'artifact';
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  /** Added to the task's metadata, member by member. */
  readonly metadata?: JsonObject | undefined;
}

/** One event of a stream. */
export type StreamEvent =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'message'; readonly message: Message }
  | StatusUpdate
  | ArtifactUpdate;

export function isTask(answer: Task | Message): answer is Task {
  return 'status' in answer;
}
