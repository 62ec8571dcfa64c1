import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { Task, TaskStatus } from '../../model/task.ts';
import type { LogBatch, LogRecord } from '../log/events.ts';

interface Waiter {
  readonly messageSeq: number;
  readonly resolve: (task: Task | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** A place in the log and, where that is known, how the task stands there. */
interface LogPlace {
  readonly seq: number;
  readonly status?: TaskStatus | undefined;
  /** See StatusEvent. */
  readonly consumed?: number | undefined;
}

/** Tells whether this status ends the wait for the turn of a message: terminal, or interrupted after it was consumed. */
export function endsWait({ status, consumed = 0 }: LogPlace, messageSeq: number): boolean {
  if (!status) return false;
  return isTerminal(status.state) || (isInterrupted(status.state) && consumed >= messageSeq);
}

/**
 * The reading side of one task on this node: the most recent committed events, bounded, and the readers that wait. A
 * reader is a position in the log and nothing else, so a slow one costs no memory here; one that has fallen behind the
 * recent events reads the store until it has caught up.
 */
export class Feed {
  /** A follower brings the commits of other nodes here. */
  readonly isFollowed: boolean;
  readonly #maxBytes: number;
  #recent: LogRecord[] = [];
  #dropped = 0;
  #bytes = 0;
  #latest: number;
  #error: unknown;
  /** A writer of this node publishes here. */
  isWrittenHere = false;
  /** The number of subscriptions. */
  readers = 0;
  /** The events that the last reader got; others at the same position get the same. */
  #lastGiven: { readonly position: number; readonly batch: LogBatch } | undefined;
  #parked: (() => void)[] = [];
  /** Nearly always none or one. */
  #waiters: Waiter[] = [];

  constructor(latest: number, maxBytes: number, isFollowed = false) {
    this.isFollowed = isFollowed;
    this.#latest = latest;
    this.#maxBytes = maxBytes;
  }

  /** The last committed seq that is known here. */
  get latest(): number {
    return this.#latest;
  }

  /** Why no more events will come, if the log was lost to this node. */
  get error(): unknown {
    return this.#error;
  }

  /** A send waits for the end of its turn. */
  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  /** Committed events, in order, right after the latest. */
  publish(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.event.seq <= this.#latest) continue;
      this.#latest = record.event.seq;
      this.#recent.push(record);
      this.#bytes += record.size;
      if (record.event.kind === 'status') this.#endWaits(record.event, record.task);
      // A slow reader keeps the record here; it must not keep the whole task with it.
      if (record.task) record.task = undefined;
    }
    this.#trim();
    this.#wake();
  }

  /**
   * The store has this seq already: readers get the events before it from there. A wait ends if it would have ended by
   * the latest status.
   */
  advance(place: LogPlace): void {
    if (place.seq <= this.#latest) return;
    this.#latest = place.seq;
    this.#recent = [];
    this.#dropped = 0;
    this.#bytes = 0;
    this.#endWaits(place, undefined);
    this.#wake();
  }

  /** No more events will come. */
  fail(error: unknown): void {
    this.#error = error;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(error);
    this.#wake();
  }

  /** The events after a position; undefined if some of them are no longer held here. */
  after(position: number): LogBatch | undefined {
    if (position >= this.#latest) return NOTHING_NEW;
    if (this.#lastGiven?.position === position) return this.#lastGiven.batch;
    const first = this.#recent[this.#dropped]?.event.seq;
    if (first === undefined || position + 1 < first) return undefined;
    const batch: LogBatch = { records: this.#recent.slice(this.#dropped + position + 1 - first) };
    if (this.readers > 1) this.#lastGiven = { position, batch };
    return batch;
  }

  /**
   * Nobody holds it any more. What was long in memory is collected late, and would take everything with it that it
   * still refers to.
   */
  clear(): void {
    this.#recent = [];
    this.#lastGiven = undefined;
  }

  /** Calls back once, when there is something new. To be called once for each call back. */
  park(wake: () => void): void {
    this.#parked.push(wake);
  }

  unpark(wake: () => void): void {
    const place = this.#parked.indexOf(wake);
    if (place !== -1) this.#parked.splice(place, 1);
  }

  /** Resolves at the first status from now on that ends the turn of this message, with the task as it was then if known. */
  turnEnd(messageSeq: number): { readonly promise: Promise<Task | undefined>; readonly giveUp: () => void } {
    const { promise, resolve, reject } = Promise.withResolvers<Task | undefined>();
    const waiter: Waiter = { messageSeq, resolve, reject };
    this.#waiters.push(waiter);
    const giveUp = () => {
      const place = this.#waiters.indexOf(waiter);
      if (place === -1) return;
      this.#waiters.splice(place, 1);
      resolve(undefined);
    };
    return { promise, giveUp };
  }

  /** Ends all waits for the end of a turn, with undefined. */
  stopWaits(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { resolve } of waiters) resolve(undefined);
  }

  #endWaits(place: LogPlace, task: Task | undefined): void {
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ messageSeq }) => !endsWait(place, messageSeq));
    for (const waiter of waiters) if (endsWait(place, waiter.messageSeq)) waiter.resolve(task);
  }

  #trim(): void {
    while (this.#bytes > this.#maxBytes && this.#dropped < this.#recent.length - 1) {
      this.#bytes -= this.#recent[this.#dropped]?.size ?? 0;
      this.#dropped += 1;
    }
    // Cutting the array only when half of it is dropped keeps the cost per event constant.
    if (this.#dropped * 2 > this.#recent.length) {
      this.#recent = this.#recent.slice(this.#dropped);
      this.#dropped = 0;
    }
  }

  #wake(): void {
    this.#lastGiven = undefined;
    if (this.#parked.length === 0) return;
    const parked = this.#parked;
    this.#parked = [];
    for (const wake of parked) wake();
  }
}

const NOTHING_NEW: LogBatch = { records: [] };
