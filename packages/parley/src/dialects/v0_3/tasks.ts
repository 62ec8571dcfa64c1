import type { JsonObject } from '../../model/json.ts';
import type { GetTaskInput } from '../../model/operations.ts';
import type { TaskState } from '../../model/states.ts';
import { isTask, type Message, type Task, type TaskStatus } from '../../model/task.ts';
import { decode } from '../wire/members.ts';
import { encodeArtifact, type WireArtifact } from './artifacts.ts';
import { TASK_STATES } from './enums.ts';
import { encodeMessage, readReceivedMessage, type WireMessage } from './messages.ts';
import { readPart } from './parts.ts';
import { type Readers, readersOf } from './readers.ts';

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

/** How the replies of this form are read. */
export const READERS: Readers = readersOf({ readPart, readMessage: readReceivedMessage, states: TASK_STATES });

export function encodeStatus(status: TaskStatus): WireTaskStatus {
  const wire: WireTaskStatus = { state: status.state };
  if (status.message !== undefined) wire.message = encodeMessage(status.message);
  if (status.timestamp !== '') wire.timestamp = status.timestamp;
  return wire;
}

export function encodeTask(task: Task): WireTask {
  return encodeTaskWith(task, task.history.length > 0);
}

/** Whoever asks for a length of history gets a history, even an empty one (reference: v03 §6). */
export function encodeRequestedTask(task: Task, input?: GetTaskInput): WireTask {
  return encodeTaskWith(task, task.history.length > 0 || input?.historyLength !== undefined);
}

/** Bare: `kind` tells a task from a message. */
export function encodeSendResult(result: Task | Message): WireTask | WireMessage {
  return isTask(result) ? encodeTask(result) : encodeMessage(result);
}

export function decodeTask(value: unknown): Task {
  return decode(value, READERS.readTask, 'task');
}

function encodeTaskWith(task: Task, withHistory: boolean): WireTask {
  const wire: WireTask = {
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: encodeStatus(task.status),
  };
  if (withHistory) wire.history = task.history.map(encodeMessage);
  if (task.artifacts.length > 0) wire.artifacts = task.artifacts.map(encodeArtifact);
  if (task.metadata !== undefined) wire.metadata = task.metadata;
  return wire;
}
