import type { JsonObject } from '../../model/basics/json.ts';
import type { ArtifactUpdate, StatusUpdate, StreamEvent, Task, TaskStatus } from '../../model/task.ts';
import { isFinal } from '../v0_3/task/events.ts';
import { blamingServer } from '../wire/answers.ts';
import { decode, type Members } from '../wire/members.ts';
import { NO_MESSAGE, NO_STATUS } from '../wire/placeholders.ts';
import { encodeArtifact, type WireArtifact } from './artifacts.ts';
import { encodeMessage, readReceivedMessage, type WireMessage } from './messages.ts';
import {
  encodeStatus,
  readArtifactUpdate,
  readStatus,
  readStatusUpdate,
  readTask,
  type WireTaskStatus,
} from './tasks.ts';

/** The first event of a stream. */
interface WireInitial {
  taskId: string;
  contextId?: string;
  status: WireTaskStatus;
  metadata?: JsonObject;
}

interface WireStatusUpdate {
  type: 'status';
  taskId: string;
  status: WireTaskStatus;
  /** Only where it is true. */
  final?: true;
  metadata?: JsonObject;
}

/**
 * A whole artifact has neither flag, as in the document, which knows no others. A chunk has both: `append` goes on with
 * what came before under the same id, `lastChunk` ends it.
 */
interface WireArtifactUpdate {
  type: 'artifact';
  taskId: string;
  artifact: WireArtifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

type WireEvent = WireInitial | WireStatusUpdate | WireArtifactUpdate | WireMessage;

/** The body of a webhook's request (seed S2, Webhook Payload). */
interface WireNotification extends Pick<WireArtifactUpdate, 'append' | 'lastChunk' | 'metadata'> {
  taskId: string;
  status: WireTaskStatus;
  artifact?: WireArtifact;
}

/** An event shows only the ids and the status of a task; see `snapshotEvents`. */
export function encodeEvent(event: StreamEvent): WireEvent {
  switch (event.kind) {
    case 'artifact':
      return encodeArtifactUpdate(event);
    case 'status':
      return encodeStatusUpdate(event);
    case 'task':
      return encodeInitial(event.task);
    case 'message':
      return encodeMessage(event.message);
  }
}

/** A task as it is: its ids and status, then each artifact as it is by now. More of one comes with `append`. */
export function snapshotEvents(task: Task): readonly StreamEvent[] {
  const { id: taskId, contextId } = task;
  const artifacts = task.artifacts.map(
    (artifact): ArtifactUpdate => ({ kind: 'artifact', taskId, contextId, artifact, append: false, lastChunk: true }),
  );
  return [{ kind: 'task', task }, ...artifacts];
}

/** The flat body of a webhook; `status` is that of the task where the event has none. Undefined for a bare message. */
export function encodeNotification(event: StreamEvent, status: TaskStatus): WireNotification | undefined {
  switch (event.kind) {
    case 'artifact': {
      const { type: _, taskId, ...rest } = encodeArtifactUpdate(event);
      return { taskId, status: encodeStatus(status), ...rest };
    }
    case 'status':
      return withMetadata<WireNotification>(
        { taskId: event.taskId, status: encodeStatus(event.status) },
        event.metadata,
      );
    case 'task':
      return withMetadata<WireNotification>(
        { taskId: event.task.id, status: encodeStatus(event.task.status) },
        event.task.metadata,
      );
    case 'message':
      return undefined;
  }
}

/** Reads the flat body of a webhook: an artifact where it has one, else a status. */
export function decodeNotification(value: unknown): StreamEvent {
  const read = (members: Members) =>
    members.has('artifact') ? readOwnArtifactUpdate(members) : readStatusUpdate(members);
  return blamingServer(() => decode(value, read, 'notification'));
}

export function decodeEvent(value: unknown): StreamEvent {
  return decode(value, readEvent, 'event');
}

function encodeInitial({ id, contextId, status, metadata }: Task): WireInitial {
  const wire: WireInitial = { taskId: id, ...(contextId && { contextId }), status: encodeStatus(status) };
  return withMetadata(wire, metadata);
}

function encodeStatusUpdate({ taskId, status, metadata }: StatusUpdate): WireStatusUpdate {
  const wire: WireStatusUpdate = { type: 'status', taskId, status: encodeStatus(status) };
  if (isFinal(status.state)) wire.final = true;
  return withMetadata(wire, metadata);
}

function encodeArtifactUpdate({ taskId, artifact, append, lastChunk, metadata }: ArtifactUpdate): WireArtifactUpdate {
  const wire: WireArtifactUpdate = { type: 'artifact', taskId, artifact: encodeArtifact(artifact) };
  const isWhole = !append && lastChunk;
  if (!isWhole) {
    wire.append = append;
    wire.lastChunk = lastChunk;
  }
  return withMetadata(wire, metadata);
}

function withMetadata<Wire extends { metadata?: JsonObject }>(wire: Wire, metadata: JsonObject | undefined): Wire {
  if (metadata !== undefined) wire.metadata = metadata;
  return wire;
}

/** `type` tells updates; what begins a stream has none. A server that shows the whole task or a message is understood. */
function readEvent(members: Members): StreamEvent {
  const type = members.value('type');
  if (type === 'status') return readStatusUpdate(members);
  if (type === 'artifact') return readOwnArtifactUpdate(members);
  if (type !== undefined) {
    members.reject('type', 'must be one of status, artifact');
    return NO_EVENT;
  }
  if (members.has('task')) return members.object('task', undefined, readWholeTask) ?? NO_EVENT;
  if (members.has('message')) return members.object('message', undefined, readWholeMessage) ?? NO_EVENT;
  if (members.has('parts')) return readWholeMessage(members);
  return members.has('id') ? readWholeTask(members) : readInitial(members);
}

const NO_EVENT: StreamEvent = { kind: 'message', message: NO_MESSAGE };

function readWholeTask(members: Members): StreamEvent {
  return { kind: 'task', task: readTask(members) };
}

function readWholeMessage(members: Members): StreamEvent {
  return { kind: 'message', message: readReceivedMessage(members) };
}

function readInitial(members: Members): StreamEvent {
  const task: Task = {
    id: members.requiredText('taskId'),
    contextId: members.text('contextId') ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    artifacts: [],
    history: [],
    metadata: members.struct('metadata'),
  };
  return { kind: 'task', task };
}

/** An update without flags has the whole artifact. */
function readOwnArtifactUpdate(members: Members): ArtifactUpdate {
  const isWhole = !members.has('append', 'lastChunk', 'last_chunk');
  const update = readArtifactUpdate(members);
  return isWhole ? { ...update, lastChunk: true } : update;
}
