import type { JsonObject } from '../../model/json.ts';
import { isTerminal, type TaskState } from '../../model/states.ts';
import type { ArtifactUpdate, StatusUpdate, StreamEvent } from '../../model/task.ts';
import { decode, type Members } from '../wire/members.ts';
import { encodeArtifact, type WireArtifact } from './artifacts.ts';
import { encodeMessage, NO_MESSAGE, readReceivedMessage, type WireMessage } from './messages.ts';
import { encodeStatus, encodeTask, READERS, type WireTask, type WireTaskStatus } from './tasks.ts';

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

const EVENT_KINDS = 'task, message, status-update, artifact-update';

export function encodeEvent(event: StreamEvent): WireEvent {
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
}

export function decodeEvent(value: unknown): StreamEvent {
  return decode(value, readEvent, 'event');
}

/** Both flags are always written, as the documents' examples have them. */
export function encodeArtifactUpdate(update: ArtifactUpdate): WireArtifactUpdate {
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
}

export function encodeStatusUpdate(update: StatusUpdate): WireStatusUpdate {
  const { taskId, contextId, metadata } = update;
  const status = encodeStatus(update.status);
  const final = isFinal(update.status.state);
  if (metadata === undefined) return { kind: 'status-update', taskId, contextId, status, final };
  return { kind: 'status-update', taskId, contextId, status, metadata, final };
}

/**
 * Whether a status is the last of its stream: streams of sends close there (reference: mapping §6). A task that waits
 * for an authorization may go on by itself, so its stream stays open.
 */
export function isFinal(state: TaskState): boolean {
  return isTerminal(state) || state === 'input-required';
}

/** `final` is not read: where a stream ends is a matter of the stream. */
function readEvent(members: Members): StreamEvent {
  const kind = members.value('kind');
  switch (kind) {
    case 'artifact-update':
      return READERS.readArtifactUpdate(members);
    case 'status-update':
      return READERS.readStatusUpdate(members);
    case 'task':
      return { kind: 'task', task: READERS.readTask(members) };
    case 'message':
      return { kind: 'message', message: readReceivedMessage(members) };
    default:
      members.reject('kind', kind === undefined ? 'is required' : `must be one of ${EVENT_KINDS}`);
      return { kind: 'message', message: NO_MESSAGE };
  }
}
