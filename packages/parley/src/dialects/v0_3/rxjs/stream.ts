import type { SendInput, SubscribeInput } from '../../../model/operations.ts';
import { isTerminal } from '../../../model/states.ts';
import type { StatusUpdate, StreamEvent, Task } from '../../../model/task.ts';
import type { StreamEncoder, StreamFrame } from '../../dialect.ts';
import { failureOf } from './errors.ts';
import { WRITERS } from './tasks.ts';

/** Writes an event, perhaps as several. */
type EventWriter = (event: StreamEvent) => readonly object[];

export function streamEncoder(input: SendInput | SubscribeInput): StreamEncoder {
  return { encode: framesOf(input, (event) => [WRITERS.encodeEvent(event)]) };
}

/** The frames of a stream; who comes back with `tasks/get` sees the state first instead of the task (seed S0.8). */
export function framesOf(input: SendInput | SubscribeInput, write: EventWriter): StreamEncoder['encode'] {
  const comesBack = 'alsoEnded' in input && input.alsoEnded === true;
  return (events) =>
    events.flatMap((event) =>
      comesBack && event.kind === 'task' ? stateOf(event.task, write) : eventFrames(event, write),
    );
}

/** An event, or the error that a failed status is. */
function eventFrames(event: StreamEvent, write: EventWriter): readonly StreamFrame[] {
  const failure = event.kind === 'status' ? failureOf(event.taskId, event.status) : undefined;
  return failure ? [{ error: failure }] : write(event).map((result) => ({ result }));
}

/** The state, with the note about a position that could not be honoured, then what there is of the results. The last frame of a task that has ended is the only final one. */
function stateOf(task: Task, write: EventWriter): readonly StreamFrame[] {
  const { id: taskId, contextId, status, artifacts, metadata } = task;
  const now: StatusUpdate = { kind: 'status', taskId, contextId, status, metadata };
  if (artifacts.length === 0) return eventFrames(now, write);
  const isEnded = isTerminal(status.state);
  const first = write(now).map((result) => ({ result: { ...result, final: false } }));
  const results = artifacts.flatMap((artifact) =>
    eventFrames({ kind: 'artifact', taskId, contextId, artifact, append: false, lastChunk: isEnded }, write),
  );
  return [...first, ...results, ...(isEnded ? eventFrames(now, write) : [])];
}
