import type { JsonObject } from '../../model/basics/json.ts';
import type { ListedTasks } from '../../model/operations.ts';
import { isTask, type Message, type Task, type TaskStatus } from '../../model/task.ts';
import { decode } from '../wire/members.ts';
import { type Readers, readersOf } from '../wire/readers.ts';
import { encodeArtifact, type WireArtifact } from './artifacts.ts';
import { encodeCursor } from './cursors.ts';
import { TASK_STATE_NAMES, TASK_STATES } from './enums.ts';
import { encodeMessage, readReceivedMessage, type WireMessage } from './messages.ts';
import { readPart } from './parts.ts';

export interface WireTaskStatus {
  state: string;
  message?: WireMessage;
  timestamp?: string;
}

interface WireTask {
  id: string;
  contextId: string;
  status: WireTaskStatus;
  artifacts?: WireArtifact[];
  history?: WireMessage[];
  metadata?: JsonObject;
}

interface WireTaskPage {
  tasks: WireTask[];
  /** There is more. */
  nextCursor?: string;
}

/** The readers of replies. The document's own frames have no time; it is '' then. */
const READERS: Readers = readersOf({ readPart, readMessage: readReceivedMessage, states: TASK_STATES });

export const { readTask, readStatus, readArtifact, readStatusUpdate, readArtifactUpdate } = READERS;

export function encodeStatus({ state, message, timestamp }: TaskStatus): WireTaskStatus {
  const wire: WireTaskStatus = { state: TASK_STATE_NAMES[state] };
  if (message !== undefined) wire.message = encodeMessage(message);
  if (timestamp !== '') wire.timestamp = timestamp;
  return wire;
}

export function encodeTask(task: Task): WireTask {
  const wire: WireTask = { id: task.id, contextId: task.contextId, status: encodeStatus(task.status) };
  if (task.artifacts.length > 0) wire.artifacts = task.artifacts.map(encodeArtifact);
  if (task.history.length > 0) wire.history = task.history.map(encodeMessage);
  if (task.metadata !== undefined) wire.metadata = task.metadata;
  return wire;
}

/** The task itself: the document shows nothing around what is sent back. */
export function encodeSendResult(result: Task | Message): WireTask | WireMessage {
  return isTask(result) ? encodeTask(result) : encodeMessage(result);
}

export function encodeTaskPage({ tasks, next, nextPageToken }: ListedTasks): WireTaskPage {
  const wire: WireTaskPage = { tasks: tasks.map(encodeTask) };
  const cursor = next ? encodeCursor(next) : nextPageToken;
  if (cursor !== '') wire.nextCursor = cursor;
  return wire;
}

export function decodeTask(value: unknown): Task {
  return decode(value, readTask, 'task');
}
