import { isTerminal } from '../../model/states.ts';
import type { TaskEvent } from '../log/events.ts';
import type { Awaitable, Clock, LogFacet, Logger, TaskHead } from '../ports.ts';
import type { Feed } from '../read/feed.ts';
import { READ_LIMIT } from '../read/records.ts';
import { Cursor } from './cursor.ts';
import type { PositionKeeper } from './positions.ts';
import { delayAfter, type RetryPolicy } from './retry.ts';
import type { Slots } from './slots.ts';

/** The source from which a follower learns that a task has gone on. */
export interface FeedSource {
  acquire(taskId: string): Feed;
  release(taskId: string, feed: Feed): void;
}

export interface TaskFollowerOptions {
  readonly taskId: string;
  /** The first event that is dealt with comes after this seq, unless the keeper knows of a later position. */
  readonly after: number;
  readonly keeper: PositionKeeper;
  /**
   * Deals with the next events, in order, and returns the seq of the last one that it is done with; undefined = all.
   * Where it rejects, the same events come again: each is dealt with at least once. The signal is aborted when the
   * follower is closed.
   */
  readonly deal: (events: readonly TaskEvent[], signal: AbortSignal) => Awaitable<number | undefined>;
  readonly retry?: RetryPolicy | undefined;
  /** Shared with other followers, to bound how many of them work at the same time. */
  readonly slots?: Slots | undefined;
  readonly store: LogFacet;
  readonly feeds: FeedSource;
  readonly clock: Clock;
  readonly log: Logger;
}

const RETRY: RetryPolicy = { firstDelay: 100, longestDelay: 10_000 };

/** Another node follows under the same name. */
class HeldElsewhere extends Error {}

/**
 * Deals with the events of one task, in order and at least once, wherever the task is written, until the task has ended.
 * At rest it holds a place in the task's feed and nothing else.
 */
export class TaskFollower {
  readonly #options: TaskFollowerOptions;
  readonly #cursor: Cursor;
  readonly #end = Promise.withResolvers<void>();
  readonly #abort = new AbortController();
  #feed: Feed | undefined;
  #isOurs = false;
  #stopRestart: (() => void) | undefined;
  #step: Promise<number> | undefined;

  constructor(options: TaskFollowerOptions) {
    this.#options = options;
    const { clock, log, taskId, after, slots, retry = RETRY } = options;
    this.#cursor = new Cursor({
      clock,
      slots,
      retry,
      position: after,
      step: (position, goal) => {
        this.#step = this.#follow(position, goal);
        return this.#step;
      },
      onFailure: (error, failures) => {
        if (!(error instanceof HeldElsewhere)) log.warn('A follower of a task failed', { taskId, failures, error });
      },
    });
  }

  /** Resolves when all events of a task that has ended are dealt with, or the follower is closed. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Begins to follow. Resolves once it is told of everything that is committed from now on. */
  async start(): Promise<void> {
    const { store, taskId } = this.#options;
    const feed = this.#feed ?? this.#attach();
    const head = await store.head(taskId);
    if (!head || isDone(head, this.#cursor.position)) {
      await this.close();
      return;
    }
    feed.advance(head);
    this.#cursor.wake(head.seq);
  }

  /** Aborts what is being dealt with, waits for it, and leaves the position to other nodes. */
  async close(): Promise<void> {
    const { keeper, log, taskId } = this.#options;
    this.#cursor.close();
    this.#detach();
    this.#stopRestart?.();
    this.#abort.abort();
    try {
      await this.#step?.catch(() => {});
      await keeper.release();
    } catch (error) {
      log.warn('The position of a follower could not be released', { taskId, error });
    }
    this.#end.resolve();
  }

  #attach(): Feed {
    const feed = this.#options.feeds.acquire(this.#options.taskId);
    this.#feed = feed;
    feed.park(this.#woken);
    return feed;
  }

  #detach(): void {
    const feed = this.#feed;
    this.#feed = undefined;
    if (!feed) return;
    feed.unpark(this.#woken);
    this.#options.feeds.release(this.#options.taskId, feed);
  }

  readonly #woken = (): void => {
    const feed = this.#feed;
    if (!feed) return;
    if (feed.error === undefined) {
      feed.park(this.#woken);
      this.#cursor.wake(feed.latest);
      return;
    }
    // This node can no longer write the task; another one may, and its commits come by another feed.
    this.#detach();
    this.#restart(1);
  };

  #restart(attempt: number): void {
    const { clock, retry = RETRY } = this.#options;
    if (this.#abort.signal.aborted) return;
    this.start().catch(() => {
      if (this.#abort.signal.aborted) return;
      this.#stopRestart = clock.after(delayAfter(retry, attempt), () => this.#restart(attempt + 1));
    });
  }

  async #follow(position: number, goal: number): Promise<number> {
    const { keeper, store, taskId, deal } = this.#options;
    if (!this.#isOurs) {
      const { seq, isOurs } = await keeper.take();
      this.#isOurs = isOurs;
      if (seq > position) {
        const head = await store.head(taskId);
        if (!head || isDone(head, seq)) void this.close();
        return seq;
      }
      if (!isOurs) throw new HeldElsewhere();
    }
    const events = await this.#next(position);
    if (events.length === 0) {
      if (await store.head(taskId)) throw new Error(`The store does not have the events after ${position} yet`);
      void this.close();
      return goal;
    }
    const reached = (await deal(events, this.#abort.signal)) ?? events.at(-1)?.seq ?? position;
    this.#isOurs = await keeper.save(reached);
    if (!this.#isOurs) throw new HeldElsewhere();
    if (events.some((event) => endsTask(event) && event.seq <= reached)) void this.close();
    return reached;
  }

  async #next(position: number): Promise<readonly TaskEvent[]> {
    const { store, taskId } = this.#options;
    const held = this.#feed?.after(position);
    if (held && held.records.length > 0) return held.records.map(({ event }) => event);
    return store.read(taskId, position, READ_LIMIT);
  }
}

function endsTask(event: TaskEvent): boolean {
  return event.kind === 'status' && isTerminal(event.status.state);
}

/** Nothing comes after this seq any more. */
function isDone({ status, seq }: TaskHead, position: number): boolean {
  return isTerminal(status.state) && position >= seq;
}
