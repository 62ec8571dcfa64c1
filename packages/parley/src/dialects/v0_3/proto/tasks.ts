import type { JsonObject } from '../../../model/basics/json.ts';
import type { GetTaskInput } from '../../../model/operations.ts';
import type { TaskState } from '../../../model/states.ts';
import { type Artifact, isTask, type Message, type Task, type TaskStatus } from '../../../model/task.ts';
import { decode } from '../../wire/members.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { withDescription } from '../task/artifacts.ts';
import { type Readers, readersOf } from '../task/readers.ts';
import { KNOWN_STATES, TASK_STATES, UNSPECIFIED_STATE } from './enums.ts';
import { encodeMessage, receivedMessageReader, type WireMessage } from './messages.ts';
import { encodePart, FILE_BYTES, partReader, type WirePart } from './parts.ts';

export interface WireTaskStatus {
  state: string;
  message?: WireMessage;
  timestamp?: string;
}

/** Its parts are called so, other than those of a message. */
export interface WireArtifact {
  artifactId: string;
  parts: WirePart[];
  name?: string;
  description?: string;
  metadata?: JsonObject;
  extensions?: readonly string[];
}

export interface WireTask {
  id: string;
  contextId: string;
  status: WireTaskStatus;
  artifacts?: WireArtifact[];
  history?: WireMessage[];
  metadata?: JsonObject;
}

const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = { ...KNOWN_STATES, unknown: UNSPECIFIED_STATE };

/** The readers of replies in this form. */
export function receivedReaders(files: FileBytes = FILE_BYTES): Readers {
  const readMessage = receivedMessageReader(files);
  return readersOf({ readPart: partReader(files), readMessage, states: TASK_STATES });
}

/** The writers of this form, which differ only in how they write the bytes of files. */
export interface TaskWriters {
  readonly encodeStatus: (status: TaskStatus) => WireTaskStatus;
  readonly encodeArtifact: (artifact: Artifact) => WireArtifact;
  readonly encodeTask: (task: Task) => WireTask;
  /** A request that asks for a length of history gets one, even an empty one (reference: v03 §6). */
  readonly encodeRequestedTask: (task: Task, input?: GetTaskInput) => WireTask;
  readonly encodeSendResult: (result: Task | Message) => { task: WireTask } | { message: WireMessage };
}

export function taskWriters(files: FileBytes = FILE_BYTES): TaskWriters {
  const encodeStatus = (status: TaskStatus): WireTaskStatus => {
    const wire: WireTaskStatus = { state: TASK_STATE_NAMES[status.state] };
    if (status.message !== undefined) wire.message = encodeMessage(status.message, files);
    if (status.timestamp !== '') wire.timestamp = status.timestamp;
    return wire;
  };

  const encodeArtifact = (artifact: Artifact): WireArtifact => {
    const parts = artifact.parts.map((part) => encodePart(part, files));
    return withDescription<WireArtifact>({ artifactId: artifact.artifactId, parts }, artifact);
  };

  const encodeTaskWith = (task: Task, withHistory: boolean): WireTask => {
    const wire: WireTask = { id: task.id, contextId: task.contextId, status: encodeStatus(task.status) };
    if (task.artifacts.length > 0) wire.artifacts = task.artifacts.map(encodeArtifact);
    if (withHistory) wire.history = task.history.map((message) => encodeMessage(message, files));
    if (task.metadata !== undefined) wire.metadata = task.metadata;
    return wire;
  };

  const encodeTask = (task: Task): WireTask => encodeTaskWith(task, task.history.length > 0);

  return {
    encodeStatus,
    encodeArtifact,
    encodeTask,
    encodeRequestedTask: (task, input) =>
      encodeTaskWith(task, task.history.length > 0 || input?.historyLength !== undefined),
    encodeSendResult: (result) =>
      isTask(result) ? { task: encodeTask(result) } : { message: encodeMessage(result, files) },
  };
}

export function decodeTask(value: unknown, files?: FileBytes): Task {
  return decode(value, receivedReaders(files).readTask, 'task');
}
