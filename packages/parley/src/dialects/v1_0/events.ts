import type { JsonObject } from '../../model/basics/json.ts';
import type { ArtifactUpdate, StatusUpdate, StreamEvent } from '../../model/task.ts';
import { decode } from '../wire/members.ts';
import { type WrappedEvent, wrapEvent } from '../wire/wrapped-events.ts';
import { encodeArtifact, type WireArtifact } from './artifacts.ts';
import { encodeMessage, type WireMessage } from './messages.ts';
import type { WireTask, WireTaskStatus } from './tasks.ts';
import { encodeStatus, encodeTask, READERS } from './tasks.ts';

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
  return decode(value, READERS.readWrappedEvent, 'event');
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
