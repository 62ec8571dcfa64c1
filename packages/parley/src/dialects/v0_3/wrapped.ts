import { isTask, type Message, type StreamEvent, type Task } from '../../model/task.ts';
import { decode } from '../wire/members.ts';
import { encodeArtifactUpdate, encodeStatusUpdate, type WireArtifactUpdate, type WireStatusUpdate } from './events.ts';
import { encodeMessage, type WireMessage } from './messages.ts';
import { encodeTask, READERS, type WireTask } from './tasks.ts';

/** The objects with `kind`, each under the name of what it is, as REST has them (reference: v03 §8). */
export type WireWrapped =
  | { task: WireTask }
  | { message: WireMessage }
  | { statusUpdate: WireStatusUpdate }
  | { artifactUpdate: WireArtifactUpdate };

export function encodeWrappedResult(result: Task | Message): WireWrapped {
  return isTask(result) ? { task: encodeTask(result) } : { message: encodeMessage(result) };
}

export function encodeWrappedEvent(event: StreamEvent): WireWrapped {
  switch (event.kind) {
    case 'artifact':
      return { artifactUpdate: encodeArtifactUpdate(event) };
    case 'status':
      return { statusUpdate: encodeStatusUpdate(event) };
    case 'task':
      return { task: encodeTask(event.task) };
    case 'message':
      return { message: encodeMessage(event.message) };
  }
}

export function decodeWrappedEvent(value: unknown): StreamEvent {
  return decode(value, READERS.readWrappedEvent, 'event');
}
