import type { JsonObject } from '../../model/json.ts';
import type { ListedTasks } from '../../model/operations.ts';
import { isTask, type Message, type Task, type TaskStatus } from '../../model/task.ts';
import { decode, type Members } from '../wire/members.ts';
import { parseAnyTimestamp } from '../wire/timestamps.ts';
import { encodeArtifact, readArtifact, type WireArtifact } from './artifacts.ts';
import { encodeCursor } from './cursors.ts';
import { TASK_STATE_NAMES, TASK_STATES } from './enums.ts';
import { encodeMessage, readReceivedMessage, type WireMessage } from './messages.ts';

export interface WireTaskStatus {
  state: string;
  message?: WireMessage;
  timestamp?: string;
}

export interface WireTask {
  id: string;
  contextId: string;
  status: WireTaskStatus;
  artifacts?: WireArtifact[];
  history?: WireMessage[];
  metadata?: JsonObject;
}

export interface WireTaskPage {
  tasks: WireTask[];
  /** There is more. */
  nextCursor?: string;
}

/** Stands in for a status that could not be read. */
export const NO_STATUS: TaskStatus = { state: 'working', timestamp: '' };

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

export function readTask(members: Members): Task {
  return {
    id: members.requiredText('id'),
    contextId: members.text('contextId') ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    artifacts: members.list('artifacts', undefined, readArtifact),
    history: members.list('history', undefined, readReceivedMessage),
    metadata: members.struct('metadata'),
  };
}

/** The document's own frames have no time; it is '' then. */
export function readStatus(members: Members): TaskStatus {
  const instant = parseAnyTimestamp(members.string('timestamp') ?? '');
  return {
    state: members.requiredEnum(TASK_STATES, 'working', 'state'),
    message: members.object('message', undefined, readReceivedMessage),
    timestamp: instant === undefined ? '' : new Date(instant).toISOString(),
  };
}
