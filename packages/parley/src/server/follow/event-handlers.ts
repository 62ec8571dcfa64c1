import type { TaskEvent } from '../../engine/log/events.ts';
import type { Logger } from '../../engine/ports.ts';
import type { StreamEvent } from '../../model/task.ts';
import { isoTime } from '../../model/timestamps.ts';
import { streamEventOf } from '../operations/stream-events.ts';

/** Where a committed event stands. */
export interface EventInfo {
  readonly taskId: string;
  readonly contextId: string;
  /** The agent's name in its address. */
  readonly agent: string;
  /** Its place in the task's log, which is the id of its frame. Numbers may be left out. */
  readonly seq: number;
}

export type EventHandler = (event: StreamEvent, info: EventInfo) => void | Promise<void>;

/** A committed event as handlers see it; undefined for what only the server has a use for. */
export function committedEventOf(event: TaskEvent, taskId: string, contextId: string): StreamEvent | undefined {
  switch (event.kind) {
    case 'created': {
      const status = { state: 'submitted', timestamp: isoTime(event.time) } as const;
      const { metadata } = event;
      return { kind: 'task', task: { id: taskId, contextId, status, artifacts: [], history: [], metadata } };
    }
    case 'message':
      return { kind: 'message', message: event.message };
    case 'status':
    case 'artifact':
    case 'noted':
      return streamEventOf(event, taskId, contextId);
  }
}

const MOST_HELD = 10_000;

/** Tells one handler of one event after the other, without anybody waiting for it. */
export class HandlerQueue {
  readonly #handler: EventHandler;
  readonly #log: Logger;
  #held: (readonly [StreamEvent, EventInfo])[] = [];
  #isBusy = false;
  #leftOut = 0;

  constructor(handler: EventHandler, log: Logger) {
    this.#handler = handler;
    this.#log = log;
  }

  push(event: StreamEvent, info: EventInfo): void {
    if (!this.#isBusy) this.#tell(event, info);
    else if (this.#held.length < MOST_HELD) this.#held.push([event, info]);
    else this.#leaveOut();
  }

  #tell(event: StreamEvent, info: EventInfo): void {
    try {
      const result = this.#handler(event, info);
      if (typeof result?.then !== 'function') return;
      this.#isBusy = true;
      Promise.resolve(result).then(this.#next, (error: unknown) => {
        this.#failed(error, info);
        this.#next();
      });
    } catch (error) {
      this.#failed(error, info);
    }
  }

  readonly #next = (): void => {
    this.#isBusy = false;
    const held = this.#held;
    let told = 0;
    while (told < held.length && !this.#isBusy) {
      const entry = held[told];
      if (entry) this.#tell(...entry);
      told += 1;
    }
    this.#held = held.slice(told);
    if (this.#held.length > 0 || this.#leftOut === 0) return;
    this.#log.warn('An event handler has caught up; it was not told of some events', { leftOut: this.#leftOut });
    this.#leftOut = 0;
  };

  #leaveOut(): void {
    if (this.#leftOut === 0) {
      this.#log.warn('An event handler is too slow: it is not told of further events', { held: MOST_HELD });
    }
    this.#leftOut += 1;
  }

  #failed(error: unknown, { taskId, seq }: EventInfo): void {
    this.#log.error('An event handler failed', { taskId, seq, error });
  }
}
