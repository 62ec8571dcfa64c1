import type { JsonObject } from '../../model/basics/json.ts';
import { sizeOfParts } from '../../model/part-sizes.ts';
import type { Artifact, Message, Task } from '../../model/task.ts';
import type { TaskEvent } from './events.ts';

/** The estimated envelope of an event on the wire and in the log. */
const EVENT_OVERHEAD = 200;

/** Estimates the memory of a task, as objects and as text. */
export function sizeOfTask({ artifacts, history, status }: Task): number {
  let size = 2 * EVENT_OVERHEAD + (status.message ? sizeOfParts(status.message.parts) : 0);
  for (const { parts } of artifacts) size += EVENT_OVERHEAD + sizeOfParts(parts);
  for (const { parts } of history) size += EVENT_OVERHEAD + sizeOfParts(parts);
  return 2 * size;
}

/** Estimates the length of a task as JSON, with what its members carry beside their parts. */
export function textSizeOfTask({ artifacts, history, status, metadata }: Task): number {
  let size = 2 * EVENT_OVERHEAD + (status.message ? sizeOfParts(status.message.parts) : 0);
  if (metadata) size += sizeOfMetadata(metadata);
  for (const artifact of artifacts) size += sizeOfCarrier(artifact);
  for (const message of history) size += sizeOfCarrier(message);
  return size;
}

function sizeOfCarrier({ parts, metadata }: Artifact | Message): number {
  let size = EVENT_OVERHEAD + sizeOfParts(parts);
  if (metadata) size += sizeOfMetadata(metadata);
  for (const part of parts) if (part.metadata) size += sizeOfMetadata(part.metadata);
  return size;
}

function sizeOfMetadata(metadata: JsonObject): number {
  return JSON.stringify(metadata).length;
}

/** Estimates the length of an event as JSON, with what its members carry beside their parts. */
export function textSizeOfEvent(event: TaskEvent): number {
  switch (event.kind) {
    case 'created':
    case 'noted':
      return EVENT_OVERHEAD + (event.metadata ? sizeOfMetadata(event.metadata) : 0);
    case 'message':
      return sizeOfCarrier(event.message);
    case 'status': {
      const { status, metadata, noted } = event;
      const said = status.message ? sizeOfCarrier(status.message) : 0;
      return EVENT_OVERHEAD + said + (metadata ? sizeOfMetadata(metadata) : 0) + (noted ? sizeOfMetadata(noted) : 0);
    }
    case 'artifact':
      return sizeOfCarrier(event.artifact) + (event.metadata ? sizeOfMetadata(event.metadata) : 0);
  }
}

/** Estimates the memory of an event, for bounding queues and not for accounting. */
export function sizeOfEvent(event: TaskEvent): number {
  switch (event.kind) {
    case 'created':
      return EVENT_OVERHEAD;
    case 'message':
      return EVENT_OVERHEAD + sizeOfParts(event.message.parts);
    case 'status':
      return (
        EVENT_OVERHEAD +
        (event.status.message ? sizeOfParts(event.status.message.parts) : 0) +
        (event.noted ? JSON.stringify(event.noted).length : 0)
      );
    case 'artifact':
      return EVENT_OVERHEAD + sizeOfParts(event.artifact.parts);
    case 'noted':
      return EVENT_OVERHEAD + JSON.stringify(event.metadata).length;
  }
}
