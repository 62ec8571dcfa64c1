import { A2AError, taskNotFound } from '../../model/errors/errors.ts';
import type { GapKind } from '../../model/extensions/resume.ts';
import { isTerminal } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import type { LogBatch } from '../log/events.ts';
import { endsWait, type Feed } from './feed.ts';
import { isNextAfter } from './records.ts';
import type { Replays, SliceReader } from './replays.ts';

export interface Snapshot {
  readonly task: Task;
  /** The last seq that it includes. */
  readonly seq: number;
}

/** Everything that is ready for a reader, in order: perhaps a snapshot, then events. */
interface Batch {
  readonly snapshot: Snapshot | undefined;
  readonly events: LogBatch;
}

export interface SubscriptionOptions {
  readonly taskId: string;
  readonly contextId: string;
  readonly feed: Feed;
  readonly replays: Pick<Replays, 'ask'>;
  /** Events after this seq. */
  readonly after: number;
  readonly snapshot?: Snapshot | undefined;
  /** The first of these events, if they had to be read from the store. */
  readonly caughtUp?: LogBatch | undefined;
  /** The reason why the snapshot comes instead of the events that were asked for. */
  readonly gap?: GapKind | undefined;
  /** The last seq of a task that has ended: the subscription ends with it. */
  readonly replayTo?: number | undefined;
  /** The seq of a message: the subscription also ends when its turn ends with a question. */
  readonly turnOf?: number | undefined;
  readonly release: () => void;
}

const DONE: IteratorResult<Batch, undefined> = { done: true, value: undefined };

/**
 * One reader of a task: a position in its log. It takes what the feed holds, goes to the store for what the feed no
 * longer holds, and parks when it has everything. Streams poll it; iterating does the same with promises.
 */
export class Subscription implements AsyncIterableIterator<Batch, undefined> {
  readonly taskId: string;
  readonly contextId: string;
  /** The reason why it begins with a snapshot instead of the events that were asked for. */
  readonly gap: SubscriptionOptions['gap'];
  readonly #options: SubscriptionOptions;
  #position: number;
  #snapshot: Snapshot | undefined;
  /** Events that were read from the store and not taken yet. */
  #caughtUp: LogBatch | undefined;
  /** Gives up the slice that is on its way from the store. */
  #stopReading: (() => void) | undefined;
  #isParked = false;
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.taskId = options.taskId;
    this.contextId = options.contextId;
    this.#position = options.after;
    this.#snapshot = options.snapshot;
    this.#caughtUp = options.caughtUp;
    this.gap = options.gap;
    options.feed.readers += 1;
  }

  /** The last seq that was handed out. */
  get position(): number {
    return this.#position;
  }

  /** There are other subscriptions to the same task on this node. */
  get isShared(): boolean {
    return this.#options.feed.readers > 1;
  }

  /** Everything has been handed out, up to the end of the task or turn. */
  get isComplete(): boolean {
    return this.#isAtEnd();
  }

  /** Nothing more will come. */
  get isOver(): boolean {
    return this.#closed;
  }

  /** Returns what is ready; undefined if that is nothing yet, or if it is over. Throws if the log was lost. */
  poll(): Batch | undefined {
    if (this.#closed) return undefined;
    const batch = this.#ended ? undefined : this.#ready();
    if (batch) return batch;
    if (this.#isAtEnd()) {
      this.close();
      return undefined;
    }
    const failure = this.#failure ?? this.#lost();
    if (!failure) return undefined;
    this.close();
    throw failure.error;
  }

  /** Calls back once, as soon as `poll` has something new to say. */
  whenReady(wake: () => void): void {
    if (this.#closed) {
      wake();
      return;
    }
    this.#wake = wake;
    if (this.#isBehind()) {
      this.#catchUp();
    } else if (!this.#isParked) {
      this.#isParked = true;
      this.#options.feed.park(this.#ring);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.feed.readers -= 1;
    if (this.#isParked) this.#options.feed.unpark(this.#ring);
    this.#stopReading?.();
    this.#options.release();
    this.#ring();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    for (;;) {
      const batch = this.poll();
      if (batch) return { done: false, value: batch };
      if (this.#closed) return DONE;
      await new Promise<void>((resolve) => this.whenReady(resolve));
    }
  }

  async return(): Promise<IteratorResult<Batch, undefined>> {
    this.close();
    return DONE;
  }

  readonly #ring = (): void => {
    this.#isParked = false;
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  };

  /** Returns what is ready without going to the store. */
  #ready(): Batch | undefined {
    const snapshot = this.#snapshot;
    const caughtUp = this.#caughtUp;
    this.#caughtUp = undefined;
    const events = caughtUp ?? this.#options.feed.after(this.#position);
    if (!snapshot && (!events || events.records.length === 0)) return undefined;
    this.#snapshot = undefined;
    return { snapshot, events: this.#advance(events ?? NO_EVENTS) };
  }

  /** The feed no longer holds some of the committed events. */
  #isBehind(): boolean {
    return this.#position < Math.max(this.#options.feed.latest, this.#options.replayTo ?? 0);
  }

  #isAtEnd(): boolean {
    const { replayTo } = this.#options;
    return this.#ended || (replayTo !== undefined && this.#position >= replayTo);
  }

  /** Returns the failure of the feed once everything that was committed before it has been handed out. */
  #lost(): { readonly error: unknown } | undefined {
    const { error } = this.#options.feed;
    return error === undefined || this.#isBehind() ? undefined : { error };
  }

  #catchUp(): void {
    const { replays, taskId } = this.#options;
    this.#stopReading ??= replays.ask(taskId, this.#position, this.#slices);
  }

  readonly #slices: SliceReader = {
    take: (slice) => {
      this.#stopReading = undefined;
      this.#failure = this.#missing(slice);
      if (!this.#failure) this.#caughtUp = slice;
      this.#ring();
    },
    fail: (error) => {
      this.#stopReading = undefined;
      this.#failure = { error };
      this.#ring();
    },
  };

  #missing({ records }: LogBatch): { readonly error: unknown } | undefined {
    // There is more that was committed: the task has ended since and was purged.
    if (records.length === 0) return { error: taskNotFound(this.taskId) };
    if (isNextAfter(records, this.#position)) return undefined;
    const text = `The events after ${this.#position} are no longer kept; subscribe again`;
    return { error: new A2AError('UNAVAILABLE', text) };
  }

  /** Moves the position over these events, up to the one that ends this subscription. */
  #advance(events: LogBatch): LogBatch {
    const { records } = events;
    for (let index = 0; index < records.length; index += 1) {
      const event = records[index]?.event;
      if (!event) break;
      this.#position = event.seq;
      if (event.kind !== 'status') continue;
      const { state } = event.status;
      const { turnOf } = this.#options;
      const answered = turnOf !== undefined && state === 'input-required' && endsWait(event, turnOf);
      if (!answered && !isTerminal(state)) continue;
      this.#ended = true;
      return index + 1 === records.length ? events : { records: records.slice(0, index + 1) };
    }
    return events;
  }
}

const NO_EVENTS: LogBatch = { records: [] };
