import type { JsonObject } from '../../../model/json.ts';
import type { GetTaskInput } from '../../../model/operations.ts';
import { type Artifact, isTask, type Message, type Task, type TaskStatus } from '../../../model/task.ts';
import { decode } from '../../wire/members.ts';
import { withDescription } from '../artifacts.ts';
import { type Readers, readersOf } from '../readers.ts';
import { TASK_STATE_NAMES, TASK_STATES } from './enums.ts';
import { encodeMessage, readReceivedMessage, type WireMessage } from './messages.ts';
import { encodePart, readPart, type WirePart } from './parts.ts';

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

/** How the replies of this form are read. */
export const READERS: Readers = readersOf({ readPart, readMessage: readReceivedMessage, states: TASK_STATES });

export function encodeStatus(status: TaskStatus): WireTaskStatus {
  const wire: WireTaskStatus = { state: TASK_STATE_NAMES[status.state] };
  if (status.message !== undefined) wire.message = encodeMessage(status.message);
  if (status.timestamp !== '') wire.timestamp = status.timestamp;
  return wire;
}

export function encodeArtifact(artifact: Artifact): WireArtifact {
  const wire: WireArtifact = { artifactId: artifact.artifactId, parts: artifact.parts.map(encodePart) };
  return withDescription(wire, artifact);
}

export function encodeTask(task: Task): WireTask {
  return encodeTaskWith(task, task.history.length > 0);
}

/** Whoever asks for a length of history gets a history, even an empty one (reference: v03 §6). */
export function encodeRequestedTask(task: Task, input?: GetTaskInput): WireTask {
  return encodeTaskWith(task, task.history.length > 0 || input?.historyLength !== undefined);
}

export function encodeSendResult(result: Task | Message): { task: WireTask } | { message: WireMessage } {
  return isTask(result) ? { task: encodeTask(result) } : { message: encodeMessage(result) };
}

export function decodeTask(value: unknown): Task {
  return decode(value, READERS.readTask, 'task');
}

function encodeTaskWith(task: Task, withHistory: boolean): WireTask {
  const wire: WireTask = { id: task.id, contextId: task.contextId, status: encodeStatus(task.status) };
  if (task.artifacts.length > 0) wire.artifacts = task.artifacts.map(encodeArtifact);
  if (withHistory) wire.history = task.history.map(encodeMessage);
  if (task.metadata !== undefined) wire.metadata = task.metadata;
  return wire;
}
