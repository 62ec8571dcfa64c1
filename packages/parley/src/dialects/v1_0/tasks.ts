import type { JsonObject } from '../../model/json.ts';
import type { TaskPage } from '../../model/operations.ts';
import { type Artifact, isTask, type Message, type Task, type TaskStatus } from '../../model/task.ts';
import { decode, type Members } from '../wire/members.ts';
import { parseAnyTimestamp } from '../wire/timestamps.ts';
import { encodeArtifact, readArtifact, type WireArtifact } from './artifacts.ts';
import { RECEIVED_TASK_STATES, TASK_STATE_NAMES } from './enums.ts';
import { encodeMessage, readReceivedMessage, type WireMessage } from './messages.ts';

export interface WireTaskStatus {
  state: string;
  message?: WireMessage;
  timestamp?: string;
}

export interface WireTask {
  id: string;
  contextId?: string;
  status: WireTaskStatus;
  artifacts?: WireArtifact[];
  history?: WireMessage[];
  metadata?: JsonObject;
}

/** All four members are always written (reference: v1-data-model, JSON encoding rules 10). */
export interface WireTaskPage {
  tasks: WireTask[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

/** Stand in for what could not be read. */
export const NO_STATUS: TaskStatus = { state: 'working', timestamp: '' };
export const NO_TASK: Task = { id: '', contextId: '', status: NO_STATUS, artifacts: [], history: [] };

export function encodeStatus(status: TaskStatus): WireTaskStatus {
  const wire: WireTaskStatus = { state: TASK_STATE_NAMES[status.state] };
  if (status.message !== undefined) wire.message = encodeMessage(status.message);
  if (status.timestamp !== '') wire.timestamp = status.timestamp;
  return wire;
}

export function encodeTask(task: Task): WireTask {
  return encodeTaskWith(task, task.artifacts.length > 0 ? task.artifacts : undefined);
}

/** The result of a send is wrapped, in every binding. */
export function encodeSendResult(result: Task | Message): { task: WireTask } | { message: WireMessage } {
  return isTask(result) ? { task: encodeTask(result) } : { message: encodeMessage(result) };
}

/** Listed tasks have `artifacts`, even empty, exactly where they were asked for (JSON encoding rules 11). */
export function encodeTaskPage(page: TaskPage): WireTaskPage {
  return {
    tasks: page.tasks.map((task) => encodeTaskWith(task, page.includeArtifacts ? task.artifacts : undefined)),
    nextPageToken: page.nextPageToken,
    pageSize: page.pageSize,
    totalSize: page.totalSize,
  };
}

export function decodeTask(value: unknown): Task {
  return decode(value, readTask, 'task');
}

export function readTask(members: Members): Task {
  return {
    id: members.requiredText('id'),
    contextId: members.text('contextId', 'context_id') ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    artifacts: members.list('artifacts', undefined, readArtifact),
    history: members.list('history', undefined, readReceivedMessage),
    metadata: members.struct('metadata'),
  };
}

/** The protocol lets agents leave the time out; it is '' then. No reply is thrown away for its time. */
export function readStatus(members: Members): TaskStatus {
  const instant = parseAnyTimestamp(members.string('timestamp') ?? '');
  return {
    state: members.requiredEnum(RECEIVED_TASK_STATES, 'working', 'state'),
    message: members.object('message', undefined, readReceivedMessage),
    timestamp: instant === undefined ? '' : new Date(instant).toISOString(),
  };
}

function encodeTaskWith(task: Task, artifacts: readonly Artifact[] | undefined): WireTask {
  const wire: WireTask = { id: task.id, status: encodeStatus(task.status) };
  if (task.contextId !== '') wire.contextId = task.contextId;
  if (artifacts !== undefined) wire.artifacts = artifacts.map(encodeArtifact);
  if (task.history.length > 0) wire.history = task.history.map(encodeMessage);
  if (task.metadata !== undefined) wire.metadata = task.metadata;
  return wire;
}
