import { Cursor } from '../../engine/follow/cursor.ts';
import type { RetryPolicy } from '../../engine/follow/retry.ts';
import type { TaskEvent } from '../../engine/log/events.ts';
import type { Awaitable, Clock, Logger } from '../../engine/ports.ts';
import { isoTime } from '../../model/basics/timestamps.ts';
import { isUnspoken } from '../../model/secrets.ts';
import type { StreamEvent } from '../../model/task.ts';
import { streamEventOf } from '../operations/stream-events.ts';

/** The task, the agent and the place in the log of a committed event. */
export interface EventInfo {
  readonly taskId: string;
  readonly contextId: string;
  /** The agent's name in its address. */
  readonly agent: string;
  /** Its place in the task's log, which is the id of its frame. Numbers may be left out. */
  readonly seq: number;
}

export type EventHandler = (event: StreamEvent, info: EventInfo) => void | Promise<void>;

/** Returns a committed event as handlers see it; undefined if only the server has a use for it. */
export function committedEventOf(event: TaskEvent, taskId: string, contextId: string): StreamEvent | undefined {
  switch (event.kind) {
    case 'created': {
      const status = { state: 'submitted', timestamp: isoTime(event.time) } as const;
      const { metadata } = event;
      return { kind: 'task', task: { id: taskId, contextId, status, artifacts: [], history: [], metadata } };
    }
    case 'message':
      return event.secret && isUnspoken(event.message) ? undefined : { kind: 'message', message: event.message };
    case 'status':
    case 'artifact':
    case 'noted':
      return streamEventOf(event, taskId, contextId);
  }
}

/** Events that wait for a handler. */
const MOST_HELD = 10_000;
/** Events that a handler has been told of are dropped at this number. */
const MOST_TOLD = 1_024;
/** The steps of a handler never fail: it is told of an event once. */
const NO_RETRY: RetryPolicy = { firstDelay: 0, longestDelay: 0 };

/** Tells one handler of one event after the other. Nothing waits for it, and what it does not keep up with is left out. */
export class HandlerQueue {
  readonly #handler: EventHandler;
  readonly #log: Logger;
  readonly #cursor: Cursor;
  /** Events by their place, less those that were dropped. Places count the events that this handler is told of. */
  #held: (readonly [StreamEvent, EventInfo])[] = [];
  #dropped = 0;
  #leftOut = 0;

  constructor(handler: EventHandler, log: Logger, clock: Clock) {
    this.#handler = handler;
    this.#log = log;
    this.#cursor = new Cursor({
      clock,
      step: this.#tell,
      retry: NO_RETRY,
      onFailure: (error) => log.error('An event handler failed', { error }),
      onIdle: this.#reset,
    });
  }

  push(event: StreamEvent, info: EventInfo): void {
    const last = this.#dropped + this.#held.length;
    // One event is with the handler; the others are held.
    if (last - this.#cursor.position > MOST_HELD) {
      this.#leaveOut();
      return;
    }
    this.#held.push([event, info]);
    this.#cursor.wake(last + 1);
  }

  readonly #tell = (position: number): Awaitable<number> => {
    const told = position - this.#dropped;
    const entry = this.#held[told];
    if (told >= MOST_TOLD) {
      this.#held = this.#held.slice(told);
      this.#dropped = position;
    }
    if (!entry) return position + 1;
    const failed = (error: unknown): number => {
      const { taskId, seq } = entry[1];
      this.#log.error('An event handler failed', { taskId, seq, error });
      return position + 1;
    };
    try {
      const result = this.#handler(...entry);
      if (typeof result?.then !== 'function') return position + 1;
      return Promise.resolve(result).then(() => position + 1, failed);
    } catch (error) {
      return failed(error);
    }
  };

  readonly #reset = (): void => {
    this.#dropped += this.#held.length;
    this.#held = [];
    if (this.#leftOut === 0) return;
    this.#log.warn('An event handler has caught up; it was not told of some events', { leftOut: this.#leftOut });
    this.#leftOut = 0;
  };

  #leaveOut(): void {
    if (this.#leftOut === 0) {
      this.#log.warn('An event handler is too slow: it is not told of further events', { held: MOST_HELD });
    }
    this.#leftOut += 1;
  }
}
