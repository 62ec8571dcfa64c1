import type { TaskEvent } from '../engine/log/events.ts';
import type { JsonValue } from '../model/basics/json.ts';
import type { Message, Part } from '../model/task.ts';

const EVENT_OVERHEAD = 64;
const PART_OVERHEAD = 32;

/**
 * Estimates the bytes of an event as JSON, without writing it. Bounds what one read returns (`ReadLimit.bytes`); the
 * engine's `sizeOfEvent` estimates the memory of an event in its queues.
 */
export function jsonSizeOfEvent(event: TaskEvent): number {
  switch (event.kind) {
    case 'created':
    case 'noted':
      return EVENT_OVERHEAD + sizeOfJson(event.metadata);
    case 'message':
      return EVENT_OVERHEAD + sizeOfMessage(event.message);
    case 'status':
      return (
        EVENT_OVERHEAD + sizeOfMessage(event.status.message) + sizeOfJson(event.metadata) + sizeOfJson(event.noted)
      );
    case 'artifact': {
      const { artifact } = event;
      const labels = (artifact.name?.length ?? 0) + (artifact.description?.length ?? 0);
      const attributes = sizeOfJson(artifact.metadata) + sizeOfJson(event.metadata);
      return EVENT_OVERHEAD + sizeOfParts(artifact.parts) + labels + attributes;
    }
  }
}

function sizeOfMessage(message: Message | undefined): number {
  return message ? EVENT_OVERHEAD + sizeOfParts(message.parts) + sizeOfJson(message.metadata) : 0;
}

function sizeOfParts(parts: readonly Part[]): number {
  let size = 0;
  for (const part of parts) size += PART_OVERHEAD + sizeOfContent(part) + sizeOfJson(part.metadata);
  return size;
}

function sizeOfContent(part: Part): number {
  switch (part.kind) {
    case 'text':
      return part.text.length;
    case 'bytes':
      return part.bytes.length;
    case 'link':
      return part.url.length;
    case 'data':
      return sizeOfJson(part.data);
  }
}

function sizeOfJson(value: JsonValue | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
