import type { JsonObject } from '../../model/basics/json.ts';
import type { TaskPage } from '../../model/operations.ts';
import { type Artifact, isTask, type Message, type Task, type TaskStatus } from '../../model/task.ts';
import { decode } from '../wire/members.ts';
import { type Readers, readersOf } from '../wire/readers.ts';
import { encodeArtifact, type WireArtifact } from './artifacts.ts';
import { RECEIVED_TASK_STATES, TASK_STATE_NAMES } from './enums.ts';
import { encodeMessage, readReceivedMessage, type WireMessage } from './messages.ts';
import { readPart } from './parts.ts';

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

/** The readers of replies. The protocol lets agents leave the time of a status out; it is '' then. */
export const READERS: Readers = readersOf({ readPart, readMessage: readReceivedMessage, states: RECEIVED_TASK_STATES });

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
  return decode(value, READERS.readTask, 'task');
}

function encodeTaskWith(task: Task, artifacts: readonly Artifact[] | undefined): WireTask {
  const wire: WireTask = { id: task.id, status: encodeStatus(task.status) };
  if (task.contextId !== '') wire.contextId = task.contextId;
  if (artifacts !== undefined) wire.artifacts = artifacts.map(encodeArtifact);
  if (task.history.length > 0) wire.history = task.history.map(encodeMessage);
  if (task.metadata !== undefined) wire.metadata = task.metadata;
  return wire;
}
