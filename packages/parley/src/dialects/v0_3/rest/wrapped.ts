import { isTask, type Message, type StreamEvent, type Task } from '../../../model/task.ts';
import { decode } from '../../wire/members.ts';
import { type WrappedEvent, wrapEvent } from '../../wire/wrapped-events.ts';
import {
  encodeArtifactUpdate,
  encodeStatusUpdate,
  type WireArtifactUpdate,
  type WireStatusUpdate,
} from '../task/events.ts';
import { encodeMessage, type WireMessage } from '../task/messages.ts';
import { encodeTask, READERS, type WireTask } from '../task/tasks.ts';

/** The objects with `kind`, each under the name of what it is, as REST has them (reference: v03 §8). */
type WireWrapped = WrappedEvent<WireTask, WireMessage, WireStatusUpdate, WireArtifactUpdate>;

export function encodeWrappedResult(result: Task | Message): WireWrapped {
  return isTask(result) ? { task: encodeTask(result) } : { message: encodeMessage(result) };
}

const WRITERS = {
  task: encodeTask,
  message: encodeMessage,
  statusUpdate: encodeStatusUpdate,
  artifactUpdate: encodeArtifactUpdate,
};

export function encodeWrappedEvent(event: StreamEvent): WireWrapped {
  return wrapEvent(event, WRITERS);
}

export function decodeWrappedEvent(value: unknown): StreamEvent {
  return decode(value, READERS.readWrappedEvent, 'event');
}
