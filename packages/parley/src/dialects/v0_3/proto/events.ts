import type { JsonObject } from '../../../model/json.ts';
import type { ArtifactUpdate, StatusUpdate, StreamEvent } from '../../../model/task.ts';
import { decode } from '../../wire/members.ts';
import { type WrappedEvent, wrapEvent } from '../../wire/wrapped-events.ts';
import { isFinal } from '../events.ts';
import { encodeMessage, type WireMessage } from './messages.ts';
import type { WireArtifact, WireTask, WireTaskStatus } from './tasks.ts';
import { encodeArtifact, encodeStatus, encodeTask, READERS } from './tasks.ts';

interface WireStatusUpdate {
  taskId: string;
  contextId: string;
  status: WireTaskStatus;
  final: boolean;
  metadata?: JsonObject;
}

interface WireArtifactUpdate {
  taskId: string;
  contextId: string;
  artifact: WireArtifact;
  append: boolean;
  lastChunk: boolean;
  metadata?: JsonObject;
}

/** Exactly one member; its name is the discriminator (reference: v03 §9). */
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

/** ProtoJSON may leave a `false` out; the flags are written all the same, for readers that check for them. */
function encodeArtifactUpdate(update: ArtifactUpdate): WireArtifactUpdate {
  const wire: WireArtifactUpdate = {
    taskId: update.taskId,
    contextId: update.contextId,
    artifact: encodeArtifact(update.artifact),
    append: update.append,
    lastChunk: update.lastChunk,
  };
  if (update.metadata !== undefined) wire.metadata = update.metadata;
  return wire;
}

function encodeStatusUpdate(update: StatusUpdate): WireStatusUpdate {
  const wire: WireStatusUpdate = {
    taskId: update.taskId,
    contextId: update.contextId,
    status: encodeStatus(update.status),
    final: isFinal(update.status.state),
  };
  if (update.metadata !== undefined) wire.metadata = update.metadata;
  return wire;
}
