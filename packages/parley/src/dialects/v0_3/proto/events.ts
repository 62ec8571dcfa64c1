import type { JsonObject } from '../../../model/basics/json.ts';
import type { ArtifactUpdate, Message, StatusUpdate, StreamEvent } from '../../../model/task.ts';
import { decode } from '../../wire/members.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { type WrappedEvent, wrapEvent } from '../../wire/wrapped-events.ts';
import { isFinal } from '../task/events.ts';
import { encodeMessage, type WireMessage } from './messages.ts';
import { FILE_BYTES } from './parts.ts';
import type { WireArtifact, WireTask, WireTaskStatus } from './tasks.ts';
import { receivedReaders, taskWriters } from './tasks.ts';

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

/** The writer of events, with the bytes of their files as these are written. */
export function eventWriter(files: FileBytes = FILE_BYTES): (event: StreamEvent) => WireStreamResponse {
  const { encodeTask, encodeStatus, encodeArtifact } = taskWriters(files);
  const writers = {
    task: encodeTask,
    message: (message: Message) => encodeMessage(message, files),
    statusUpdate: (update: StatusUpdate) => encodeStatusUpdate(update, encodeStatus(update.status)),
    artifactUpdate: (update: ArtifactUpdate) => encodeArtifactUpdate(update, encodeArtifact(update.artifact)),
  };
  return (event) => wrapEvent(event, writers);
}

export function decodeEvent(value: unknown, files?: FileBytes): StreamEvent {
  return decode(value, receivedReaders(files).readWrappedEvent, 'event');
}

/** ProtoJSON may leave a `false` out; the flags are always written, for readers that check them. */
function encodeArtifactUpdate(update: ArtifactUpdate, artifact: WireArtifact): WireArtifactUpdate {
  const wire: WireArtifactUpdate = {
    taskId: update.taskId,
    contextId: update.contextId,
    artifact,
    append: update.append,
    lastChunk: update.lastChunk,
  };
  if (update.metadata !== undefined) wire.metadata = update.metadata;
  return wire;
}

function encodeStatusUpdate(update: StatusUpdate, status: WireTaskStatus): WireStatusUpdate {
  const wire: WireStatusUpdate = {
    taskId: update.taskId,
    contextId: update.contextId,
    status,
    final: isFinal(update.status.state),
  };
  if (update.metadata !== undefined) wire.metadata = update.metadata;
  return wire;
}
