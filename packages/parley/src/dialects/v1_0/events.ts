import type { JsonObject } from '../../model/json.ts';
import type { ArtifactUpdate, StatusUpdate, StreamEvent } from '../../model/task.ts';
import { decode, type Members, type OneofMember } from '../wire/members.ts';
import { type WrappedEvent, wrapEvent } from '../wire/wrapped-events.ts';
import { encodeArtifact, NO_ARTIFACT, readArtifact, type WireArtifact } from './artifacts.ts';
import { encodeMessage, NO_MESSAGE, readReceivedMessage, type WireMessage } from './messages.ts';
import type { WireTask, WireTaskStatus } from './tasks.ts';
import { encodeStatus, encodeTask, NO_STATUS, NO_TASK, readStatus, readTask } from './tasks.ts';

interface WireStatusUpdate {
  taskId: string;
  contextId: string;
  status: WireTaskStatus;
  metadata?: JsonObject;
}

interface WireArtifactUpdate {
  taskId: string;
  contextId: string;
  artifact: WireArtifact;
  append?: true;
  lastChunk?: true;
  metadata?: JsonObject;
}

/** Exactly one member; its name is the discriminator (reference: v1-data-model, StreamResponse). */
export type WireStreamResponse = WrappedEvent<WireTask, WireMessage, WireStatusUpdate, WireArtifactUpdate>;

const PAYLOAD: readonly OneofMember<'task' | 'message' | 'statusUpdate' | 'artifactUpdate'>[] = [
  { name: 'task' },
  { name: 'message' },
  { name: 'statusUpdate', snakeName: 'status_update' },
  { name: 'artifactUpdate', snakeName: 'artifact_update' },
];

const NO_STATUS_UPDATE: StatusUpdate = { kind: 'status', taskId: '', contextId: '', status: NO_STATUS };
const NO_ARTIFACT_UPDATE: ArtifactUpdate = {
  kind: 'artifact',
  taskId: '',
  contextId: '',
  artifact: NO_ARTIFACT,
  append: false,
  lastChunk: false,
};

const WRITERS = {
  task: encodeTask,
  message: encodeMessage,
  statusUpdate: encodeStatusUpdate,
  artifactUpdate: encodeArtifactUpdate,
};

export function encodeEvent(event: StreamEvent): WireStreamResponse {
  return wrapEvent(event, WRITERS);
}

export function decodeEvent(value: unknown): StreamEvent {
  return decode(value, readEvent, 'event');
}

function encodeArtifactUpdate(update: ArtifactUpdate): WireArtifactUpdate {
  const wire: WireArtifactUpdate = {
    taskId: update.taskId,
    contextId: update.contextId,
    artifact: encodeArtifact(update.artifact),
  };
  if (update.append) wire.append = true;
  if (update.lastChunk) wire.lastChunk = true;
  if (update.metadata !== undefined) wire.metadata = update.metadata;
  return wire;
}

function encodeStatusUpdate(update: StatusUpdate): WireStatusUpdate {
  const wire: WireStatusUpdate = {
    taskId: update.taskId,
    contextId: update.contextId,
    status: encodeStatus(update.status),
  };
  if (update.metadata !== undefined) wire.metadata = update.metadata;
  return wire;
}

function readEvent(members: Members): StreamEvent {
  switch (members.oneof(PAYLOAD)) {
    case 'artifactUpdate':
      return members.requiredObject('artifactUpdate', 'artifact_update', readArtifactUpdate, NO_ARTIFACT_UPDATE);
    case 'statusUpdate':
      return members.requiredObject('statusUpdate', 'status_update', readStatusUpdate, NO_STATUS_UPDATE);
    case 'message':
      return { kind: 'message', message: members.object('message', undefined, readReceivedMessage) ?? NO_MESSAGE };
    case 'task':
    case undefined:
      return { kind: 'task', task: members.object('task', undefined, readTask) ?? NO_TASK };
  }
}

function readArtifactUpdate(members: Members): ArtifactUpdate {
  return {
    kind: 'artifact',
    taskId: members.requiredText('taskId', 'task_id'),
    contextId: members.text('contextId', 'context_id') ?? '',
    artifact: members.requiredObject('artifact', undefined, readArtifact, NO_ARTIFACT),
    append: members.flag('append'),
    lastChunk: members.flag('lastChunk', 'last_chunk'),
    metadata: members.struct('metadata'),
  };
}

function readStatusUpdate(members: Members): StatusUpdate {
  return {
    kind: 'status',
    taskId: members.requiredText('taskId', 'task_id'),
    contextId: members.text('contextId', 'context_id') ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    metadata: members.struct('metadata'),
  };
}
