import type { TaskStream } from '../../../../client/stream/task-stream.ts';
import { isInterrupted, isTerminal, type TaskState } from '../../../../model/states.ts';
import type { Message, Task } from '../../../../model/task.ts';
import { CANCEL_TIMEOUT } from '../limits.ts';
import type { Progress, TextEvent } from './progress.ts';

/** Cancellations on their way, so that a bridge that ends can wait for them. */
export class Cancellations {
  readonly #pending = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const one = work.catch(() => {}).finally(() => this.#pending.delete(one));
    this.#pending.add(one);
  }

  /** Resolves when none is left. Each has a time limit of its own. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}

export interface TurnOptions {
  /** Opens the stream; the signal ends it, and the task goes on. */
  readonly open: (signal: AbortSignal) => TaskStream;
  /** Aborted when the client cancels its call: the agent is asked to stop. */
  readonly signal: AbortSignal;
  readonly progress: Progress | undefined;
  readonly cancellations: Cancellations;
  /** Aborted where the turn is to go on without being followed. */
  readonly leave?: AbortSignal | undefined;
  /** Told the task's id as soon as it is known. */
  readonly onTask?: ((id: string) => void) | undefined;
  /** Ends the following at an event that is not the last one of the stream. */
  readonly isEnd?: ((event: TextEvent) => boolean) | undefined;
}

/** Follows one turn of an agent to its end. Undefined where `isEnd` ended it before. */
export async function followTurn(options: TurnOptions): Promise<Task | Message | undefined> {
  const { signal, progress, cancellations, leave } = options;
  signal.throwIfAborted();
  const stop = new AbortController();
  const stream = options.open(stop.signal);
  const onAbort = () => cancellations.add(cancelStream(stream, stop));
  const onLeave = () => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  leave?.addEventListener('abort', onLeave, { once: true });
  try {
    for await (const event of stream) {
      if (event.kind === 'task') options.onTask?.(event.task.id);
      else if (event.kind !== 'message') options.onTask?.(event.taskId);
      progress?.note(event);
      if (options.isEnd?.(event)) return undefined;
    }
    return await stream.result;
  } finally {
    signal.removeEventListener('abort', onAbort);
    leave?.removeEventListener('abort', onLeave);
  }
}

/** Tells the end of a wait for something that comes to the task another way: the task has ended, or asks again. */
export function endOfWait(): (event: TextEvent) => boolean {
  let hasMoved = false;
  return (event) => {
    const state = stateIn(event);
    if (state === undefined) return false;
    const waits = isInterrupted(state);
    if (isTerminal(state) || (waits && hasMoved)) return true;
    hasMoved ||= !waits;
    return false;
  };
}

/** Streams go on over auth-required, because the authorization may come another way. */
export function asksForAuthorization(event: TextEvent): boolean {
  return stateIn(event) === 'auth-required';
}

function stateIn(event: TextEvent): TaskState | undefined {
  if (event.kind === 'task') return event.task.status.state;
  return event.kind === 'status' ? event.status.state : undefined;
}

/** Asks the agent to stop, and leaves the stream whether or not it does. */
async function cancelStream(stream: TaskStream, stop: AbortController): Promise<void> {
  const timer = setTimeout(() => stop.abort(), CANCEL_TIMEOUT);
  try {
    await stream.cancel();
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}
