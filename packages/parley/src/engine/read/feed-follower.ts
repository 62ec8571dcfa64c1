import { taskNotFound } from '../../model/errors/errors.ts';
import { Cursor } from '../follow/cursor.ts';
import type { RetryPolicy } from '../follow/retry.ts';
import type { Slots } from '../follow/slots.ts';
import type { LogRecord } from '../log/events.ts';
import type { Bus, Clock, Logger, Store, TaskHead } from '../ports.ts';
import type { Feed } from './feed.ts';
import { isNextAfter, READ_LIMIT, recordsOf } from './records.ts';

const RETRY: RetryPolicy = { firstDelay: 50, longestDelay: 5_000 };

interface FeedFollowerOptions {
  readonly taskId: string;
  readonly feed: Feed;
  readonly node: string;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /** Bounds the reads of all followers of this node. */
  readonly slots: Slots;
  /** Told of the time of the oldest event of each read, once its readers have it. */
  readonly onFollowed?: ((time: number) => void) | undefined;
}

/**
 * Brings what other nodes commit to a task's feed, from the store and in order. A notice of the bus says that there is
 * more; where none comes, `look` finds out.
 */
export class FeedFollower {
  readonly #options: FeedFollowerOptions;
  readonly #cursor: Cursor;
  #unwatch: (() => void) | undefined;
  /** A watch is active, or on its way. */
  #isWatching = false;
  #hasWarned = false;
  /** A notice has come since the last look. */
  #isNoticed = false;
  #isLooking = false;
  /** The last seq of the store when it was looked at. */
  #seen = 0;
  #isStopped = false;

  constructor(options: FeedFollowerOptions) {
    this.#options = options;
    const { clock, log, slots, taskId } = options;
    this.#cursor = new Cursor({
      clock,
      slots,
      retry: RETRY,
      step: (_, goal) => this.#read(goal),
      onFailure: (error, failures) =>
        log.warn('A task of another node could not be read; trying again', { taskId, failures, error }),
    });
    this.#watch();
  }

  /** Called at each poll interval: looks at the store unless a notice has come since the last time. */
  look(): void {
    if (!this.#isWatching) this.#watch();
    if (!this.#isNoticed) this.#look();
    this.#isNoticed = false;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cursor.close();
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #watch(): void {
    const { bus, node, taskId } = this.#options;
    this.#isWatching = true;
    try {
      const watching = bus.watch(node, taskId, this.#noticed);
      if (!(watching instanceof Promise)) this.#unwatch = watching;
      else watching.then(this.#watched, this.#unwatched);
    } catch (error) {
      this.#unwatched(error);
    }
  }

  /** The watch has become active after a while, in which notices were not heard. */
  readonly #watched = (unwatch: () => void): void => {
    if (this.#isStopped) {
      unwatch();
      return;
    }
    this.#unwatch = unwatch;
    this.#look();
  };

  readonly #unwatched = (error: unknown): void => {
    this.#isWatching = false;
    if (this.#isStopped || this.#hasWarned) return;
    this.#hasWarned = true;
    const { taskId, log } = this.#options;
    log.warn('The bus does not watch a task; the store is polled instead', { taskId, error });
  };

  readonly #noticed = (seq: number | undefined): void => {
    if (this.#isStopped) return;
    if (seq === undefined) {
      this.#look();
      return;
    }
    this.#isNoticed = true;
    this.#cursor.wake(seq);
  };

  #look(): void {
    if (this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    this.#options.slots.run(async () => {
      const { feed, store, taskId, log } = this.#options;
      // A task may be committed while the store is asked. One of which the feed had events before is gone if it is not there.
      const wasThere = feed.latest > 0;
      try {
        const head = await store.head(taskId);
        if (head) this.#compare(head);
        else if (wasThere) this.#gone();
      } catch (error) {
        log.warn('A task of another node could not be looked at', { taskId, error });
      } finally {
        this.#isLooking = false;
      }
    });
  }

  #gone(): void {
    const { feed, taskId } = this.#options;
    if (!this.#isStopped && !feed.isWrittenHere) feed.fail(taskNotFound(taskId));
  }

  #compare(head: TaskHead): void {
    const { feed } = this.#options;
    if (this.#isStopped) return;
    // A commit of this node is in the store a moment before the feed has it. Only what the feed still lacks at the next
    // look was written by another node, which holds the lease by now.
    const goal = feed.isWrittenHere ? this.#seen : head.seq;
    this.#seen = head.seq;
    if (goal > feed.latest) this.#cursor.wake(goal);
  }

  /** Reads the next events into the feed and returns how far it has come. */
  async #read(goal: number): Promise<number> {
    const { feed, store, taskId } = this.#options;
    const after = feed.latest;
    if (after >= goal) return after;
    const { records } = recordsOf(await store.read(taskId, after, READ_LIMIT));
    if (this.#isStopped) return goal;
    const last = records.at(-1);
    if (isNextAfter(records, after)) this.#publish(records, after);
    else if (last) feed.advance({ seq: last.event.seq });
    else if (feed.latest === after && !(await store.head(taskId))) feed.fail(taskNotFound(taskId));
    return feed.error === undefined ? feed.latest : goal;
  }

  /** Records for a feed without a position may be old; all others are new. */
  #publish(records: readonly LogRecord[], after: number): void {
    const { feed, onFollowed } = this.#options;
    feed.publish(records);
    if (records[0] && after > 0) onFollowed?.(records[0].event.time);
  }
}
