import type { JsonObject } from '../../../model/basics/json.ts';
import type { GetTaskInput } from '../../../model/operations.ts';
import type { TaskState } from '../../../model/states.ts';
import {
  type Artifact,
  type ArtifactUpdate,
  isTask,
  type Message,
  type StatusUpdate,
  type StreamEvent,
  type Task,
  type TaskStatus,
} from '../../../model/task.ts';
import type { WireArtifact } from './artifacts.ts';
import type { WireMessage } from './messages.ts';

export interface WireTaskStatus {
  state: TaskState;
  message?: WireMessage;
  timestamp?: string;
}

export interface WireTask {
  kind: 'task';
  id: string;
  contextId: string;
  status: WireTaskStatus;
  history?: WireMessage[];
  artifacts?: WireArtifact[];
  metadata?: JsonObject;
}

export interface WireStatusUpdate {
  kind: 'status-update';
  taskId: string;
  contextId: string;
  status: WireTaskStatus;
  metadata?: JsonObject;
  final: boolean;
}

export interface WireArtifactUpdate {
  kind: 'artifact-update';
  taskId: string;
  contextId: string;
  artifact: WireArtifact;
  append: boolean;
  lastChunk: boolean;
  metadata?: JsonObject;
}

/** Bare: `kind` tells what it is (reference: v03 §4). */
export type WireEvent = WireTask | WireMessage | WireStatusUpdate | WireArtifactUpdate;

/** The words in which the variants of 0.3 write tasks and events differently. */
export interface WritingVocabulary {
  readonly encodeMessage: (message: Message) => WireMessage;
  /** The message of a status. Default: as any other. */
  readonly encodeStatusMessage?: ((message: Message, state: TaskState) => WireMessage) | undefined;
  readonly encodeArtifact: (artifact: Artifact) => WireArtifact;
  /** The metadata of tasks and statuses. Default: as it is. */
  readonly encodeMetadata?: ((metadata: JsonObject) => JsonObject) | undefined;
  /** The status is the last of its stream. */
  readonly isFinal: (state: TaskState) => boolean;
}

export interface Writers {
  readonly encodeStatus: (status: TaskStatus) => WireTaskStatus;
  readonly encodeTask: (task: Task) => WireTask;
  readonly encodeRequestedTask: (task: Task, input?: GetTaskInput) => WireTask;
  readonly encodeSendResult: (result: Task | Message) => WireTask | WireMessage;
  readonly encodeStatusUpdate: (update: StatusUpdate) => WireStatusUpdate;
  readonly encodeArtifactUpdate: (update: ArtifactUpdate) => WireArtifactUpdate;
  readonly encodeEvent: (event: StreamEvent) => WireEvent;
}

/** The writers of one variant. What they write is alike but for the vocabulary. */
export function writersOf({
  encodeMessage,
  encodeStatusMessage = encodeMessage,
  encodeArtifact,
  encodeMetadata = (metadata) => metadata,
  isFinal,
}: WritingVocabulary): Writers {
  const encodeStatus = (status: TaskStatus): WireTaskStatus => {
    const wire: WireTaskStatus = { state: status.state };
    if (status.message !== undefined) wire.message = encodeStatusMessage(status.message, status.state);
    if (status.timestamp !== '') wire.timestamp = status.timestamp;
    return wire;
  };

  const encodeTaskWith = (task: Task, withHistory: boolean): WireTask => {
    const wire: WireTask = {
      kind: 'task',
      id: task.id,
      contextId: task.contextId,
      status: encodeStatus(task.status),
    };
    if (withHistory) wire.history = task.history.map(encodeMessage);
    if (task.artifacts.length > 0) wire.artifacts = task.artifacts.map(encodeArtifact);
    if (task.metadata !== undefined) wire.metadata = encodeMetadata(task.metadata);
    return wire;
  };

  const encodeTask = (task: Task): WireTask => encodeTaskWith(task, task.history.length > 0);

  const encodeStatusUpdate = (update: StatusUpdate): WireStatusUpdate => {
    const { taskId, contextId, metadata } = update;
    const status = encodeStatus(update.status);
    const final = isFinal(update.status.state);
    if (metadata === undefined) return { kind: 'status-update', taskId, contextId, status, final };
    return { kind: 'status-update', taskId, contextId, status, metadata: encodeMetadata(metadata), final };
  };

  /** Both flags are always written, as the documents' examples have them. */
  const encodeArtifactUpdate = (update: ArtifactUpdate): WireArtifactUpdate => {
    const wire: WireArtifactUpdate = {
      kind: 'artifact-update',
      taskId: update.taskId,
      contextId: update.contextId,
      artifact: encodeArtifact(update.artifact),
      append: update.append,
      lastChunk: update.lastChunk,
    };
    if (update.metadata !== undefined) wire.metadata = update.metadata;
    return wire;
  };

  return {
    encodeStatus,
    encodeTask,
    encodeStatusUpdate,
    encodeArtifactUpdate,
    /** A request that asks for a length of history gets one, even an empty one (reference: v03 §6). */
    encodeRequestedTask: (task, input) =>
      encodeTaskWith(task, task.history.length > 0 || input?.historyLength !== undefined),
    /** Bare: `kind` tells a task from a message. */
    encodeSendResult: (result) => (isTask(result) ? encodeTask(result) : encodeMessage(result)),
    encodeEvent: (event) => {
      switch (event.kind) {
        case 'artifact':
          return encodeArtifactUpdate(event);
        case 'status':
          return encodeStatusUpdate(event);
        case 'task':
          return encodeTask(event.task);
        case 'message':
          return encodeMessage(event.message);
      }
    },
  };
}
