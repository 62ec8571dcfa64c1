import { isTerminal } from '../model/states.ts';
import type { Task } from '../model/task.ts';
import type { LogRecord } from './events.ts';
import { answers, type Feed } from './feed.ts';
import type { ReadLimit, Store } from './ports.ts';
import { sizeOfEvent } from './size.ts';

export interface Snapshot {
  readonly task: Task;
  /** The last seq that it includes. */
  readonly seq: number;
}

/** All that a reader can have now, in order: perhaps a snapshot, then events. */
export interface Batch {
  readonly snapshot: Snapshot | undefined;
  readonly records: readonly LogRecord[];
}

export interface SubscriptionOptions {
  readonly taskId: string;
  readonly contextId: string;
  readonly feed: Feed;
  readonly store: Store;
  /** Events after this seq. */
  readonly after: number;
  readonly snapshot?: Snapshot | undefined;
  /** The task will not change any more: end when the log is read. */
  readonly replayTo?: number | undefined;
  /** Ends, beside a terminal state, when this message is answered by a question. */
  readonly turnOf?: number | undefined;
  readonly release: () => void;
}

const READ_LIMIT: ReadLimit = { events: 512, bytes: 256 * 1024 };
const DONE: IteratorResult<Batch, undefined> = { done: true, value: undefined };

/**
 * One reader of a task: a position in its log. It takes what the feed holds, goes to the store for what the feed no
 * longer holds, and parks when it has everything. `return()` frees it at once, also while it is parked.
 */
export class Subscription implements AsyncIterableIterator<Batch, undefined> {
  readonly taskId: string;
  readonly contextId: string;
  readonly #options: SubscriptionOptions;
  #position: number;
  #snapshot: Snapshot | undefined;
  #ended = false;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.taskId = options.taskId;
    this.contextId = options.contextId;
    this.#position = options.after;
    this.#snapshot = options.snapshot;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The last seq that was handed out. */
  get position(): number {
    return this.#position;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    for (;;) {
      if (this.#closed || this.#ended) return this.#finish();
      const batch = this.#ready() ?? (await this.#catchUp());
      if (this.#closed) return DONE;
      if (batch) return { done: false, value: batch };
      if (this.#ended) continue;
      if (this.#options.replayTo !== undefined && this.#position >= this.#options.replayTo) return this.#finish();
      if (this.#options.feed.error !== undefined) {
        this.#finish();
        throw this.#options.feed.error;
      }
      await this.#more();
    }
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    return this.#finish();
  }

  /** What can be had without going to the store; undefined if that is nothing. */
  #ready(): Batch | undefined {
    const snapshot = this.#snapshot;
    const held = this.#options.feed.after(this.#position);
    if (!snapshot && (!held || held.length === 0)) return undefined;
    this.#snapshot = undefined;
    return { snapshot, records: this.#advance(held ?? []) };
  }

  async #catchUp(): Promise<Batch | undefined> {
    const { feed, store, taskId, replayTo } = this.#options;
    if (this.#position >= Math.max(feed.latest, replayTo ?? 0)) return undefined;
    const events = await store.read(taskId, this.#position, READ_LIMIT);
    if (events.length === 0) {
      this.#ended = replayTo !== undefined;
      return undefined;
    }
    const records = events.map((event) => ({ event, size: sizeOfEvent(event) }));
    return { snapshot: undefined, records: this.#advance(records) };
  }

  /** Moves the position over these events, up to the one that ends this subscription. */
  #advance(records: readonly LogRecord[]): readonly LogRecord[] {
    for (let index = 0; index < records.length; index += 1) {
      const event = records[index]?.event;
      if (!event) break;
      this.#position = event.seq;
      if (event.kind !== 'status') continue;
      const { state } = event.status;
      const { turnOf } = this.#options;
      const answered = turnOf !== undefined && state === 'input-required' && answers(event, turnOf);
      if (!answered && !isTerminal(state)) continue;
      this.#ended = true;
      return records.slice(0, index + 1);
    }
    return records;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#options.feed.park(resolve);
    });
  }

  #finish(): IteratorResult<Batch, undefined> {
    if (!this.#closed) {
      this.#closed = true;
      if (this.#wake) this.#options.feed.unpark(this.#wake);
      this.#wake?.();
      this.#options.release();
    }
    return DONE;
  }
}
