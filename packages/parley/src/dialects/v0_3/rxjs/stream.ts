import type { SendInput, SubscribeInput } from '../../../model/operations.ts';
import { isTerminal } from '../../../model/states.ts';
import type { StreamEvent, Task } from '../../../model/task.ts';
import type { StreamEncoder, StreamFrame } from '../../dialect.ts';
import { failureOf } from './errors.ts';
import { WRITERS } from './tasks.ts';

/** The frames of a stream; who comes back with `tasks/get` sees the state first instead of the task (seed S0.8). */
export function streamEncoder(input: SendInput | SubscribeInput): StreamEncoder {
  const comesBack = 'alsoEnded' in input && input.alsoEnded === true;
  return {
    resumes: true,
    encode: (events) =>
      events.flatMap((event) => (comesBack && event.kind === 'task' ? stateOf(event.task) : [frameOf(event)])),
  };
}

/** An event, or the error that a failed status is. */
export function frameOf(event: StreamEvent): StreamFrame {
  const failure = event.kind === 'status' ? failureOf(event.taskId, event.status) : undefined;
  return failure ? { error: failure } : { result: WRITERS.encodeEvent(event) };
}

/** The state, then what there is of the results. The last frame of a task that has ended is the only final one. */
function stateOf(task: Task): readonly StreamFrame[] {
  const { id: taskId, contextId, status, artifacts } = task;
  const isEnded = isTerminal(status.state);
  const last = frameOf({ kind: 'status', taskId, contextId, status });
  if (artifacts.length === 0) return [last];
  const first = WRITERS.encodeStatusUpdate({ kind: 'status', taskId, contextId, status });
  const results = artifacts.map((artifact) =>
    frameOf({ kind: 'artifact', taskId, contextId, artifact, append: false, lastChunk: isEnded }),
  );
  return [{ result: { ...first, final: false } }, ...results, ...(isEnded ? [last] : [])];
}
