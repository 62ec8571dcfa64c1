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
export function textSizeOfTask(task: Task): number {
  const { artifacts, history, status } = task;
  const said = status.message ? sizeOfParts(status.message.parts) : 0;
  return 2 * EVENT_OVERHEAD + said + sizeOfMetadata(task) + sizeOfCarriers(artifacts) + sizeOfCarriers(history);
}

function sizeOfCarriers(carriers: readonly (Artifact | Message)[]): number {
  let size = 0;
  for (const carrier of carriers) {
    size += EVENT_OVERHEAD + sizeOfParts(carrier.parts) + sizeOfMetadata(carrier);
    for (const part of carrier.parts) if (part.metadata !== undefined) size += sizeOfMetadata(part);
  }
  return size;
}

function sizeOfMetadata({ metadata }: { readonly metadata?: JsonObject | undefined }): number {
  return metadata === undefined ? 0 : JSON.stringify(metadata).length;
}

/** Estimates the length of an event as JSON, with what its members carry beside their parts. */
export function textSizeOfEvent(event: TaskEvent): number {
  switch (event.kind) {
    case 'created':
    case 'noted':
      return EVENT_OVERHEAD + sizeOfMetadata(event);
    case 'message':
      return sizeOfCarriers([event.message]);
    case 'status': {
      const { status, noted } = event;
      const said = status.message ? sizeOfCarriers([status.message]) : 0;
      return EVENT_OVERHEAD + said + sizeOfMetadata(event) + sizeOfMetadata({ metadata: noted });
    }
    case 'artifact':
      return sizeOfCarriers([event.artifact]) + sizeOfMetadata(event);
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
