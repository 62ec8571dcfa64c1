import { LiveMap } from '../../model/basics/live-map.ts';
import type { CommitFollower } from '../follow/commit-followers.ts';
import { Slots } from '../follow/slots.ts';
import type { Bus, Clock, Logger, Store } from '../ports.ts';
import { Feed } from './feed.ts';
import { FeedFollower } from './feed-follower.ts';

interface Held {
  readonly feed: Feed;
  holders: number;
  /** Undefined where no other node can write the task. */
  readonly follower: FeedFollower | undefined;
}

/** Reads of other nodes' tasks that are under way at the same time. */
const READS_AT_ONCE = 16;

interface FeedsOptions {
  /** The name of this node. */
  readonly node: () => string;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly recentBytes: number;
  readonly pollInterval: number;
  /** See FeedFollowerOptions. */
  readonly onFollowed?: ((time: number) => void) | undefined;
}

/**
 * The feeds of this node, one for each task that is written or read here, each kept while it is held. They follow the
 * commits of this node; where other nodes share the store, a follower for each feed brings theirs.
 */
export class Feeds {
  readonly #held = new LiveMap<Held>();
  readonly #options: FeedsOptions;
  readonly #slots = new Slots(READS_AT_ONCE);
  #stopPolling: (() => void) | undefined;

  constructor(options: FeedsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Brings the commits of this node to the readers of their tasks: first of all followers, and without a promise. */
  readonly follow: CommitFollower = (commits) => {
    for (const { task, records } of commits) {
      try {
        this.#held.get(task.id)?.feed.publish(records);
      } catch (error) {
        // The trouble of one task's reader must not keep the others from their events.
        this.#options.log.error('A commit could not be handed on', { taskId: task.id, error });
      }
    }
  };

  /** Every `acquire` needs one `release`. A feed that has failed is replaced: nothing more comes by it. */
  acquire(taskId: string): Feed {
    const held = this.#held.get(taskId);
    if (held && held.feed.error === undefined) {
      held.holders += 1;
      return held.feed;
    }
    held?.follower?.stop();
    const feed = new Feed(0, this.#options.recentBytes, !this.#options.store.exclusive);
    this.#held.set(taskId, { feed, holders: 1, follower: this.#follow(taskId, feed) });
    return feed;
  }

  release(taskId: string, feed: Feed): void {
    const held = this.#held.get(taskId);
    if (held?.feed !== feed) return;
    held.holders -= 1;
    if (held.holders > 0) return;
    this.#held.delete(taskId);
    held.follower?.stop();
    feed.clear();
  }

  /** Replaces a feed that failed, so that later readers do not meet the old error. */
  discard(taskId: string, feed: Feed): void {
    const held = this.#held.get(taskId);
    if (held?.feed !== feed) return;
    this.#held.delete(taskId);
    held.follower?.stop();
  }

  /** Another node writes the task from now on: readers get its events from the store, behind those that they have. */
  handOver(taskId: string, feed: Feed): void {
    feed.isWrittenHere = false;
    const held = this.#held.get(taskId);
    if (held?.feed === feed) held.follower?.look();
    this.release(taskId, feed);
  }

  /** Sends that wait for the end of a turn wait no longer: the turn does not end on this node. */
  stopWaits(): void {
    for (const { feed } of this.#held.values()) feed.stopWaits();
  }

  /** Stops following. */
  close(): void {
    this.#stopPolling?.();
    for (const { follower } of this.#held.values()) follower?.stop();
  }

  /** No other node writes an exclusive store, so there is nothing to follow. */
  #follow(taskId: string, feed: Feed): FeedFollower | undefined {
    const { node, store, bus, clock, log, onFollowed } = this.#options;
    if (store.exclusive) return undefined;
    if (!this.#stopPolling) this.#schedule();
    return new FeedFollower({ taskId, feed, node: node(), store, bus, clock, log, slots: this.#slots, onFollowed });
  }

  /** One timer for all feeds, which runs while there are any. */
  #schedule(): void {
    const { clock, pollInterval } = this.#options;
    this.#stopPolling = clock.after(pollInterval, () => {
      this.#stopPolling = undefined;
      for (const { follower } of this.#held.values()) follower?.look();
      if (this.#held.size > 0) this.#schedule();
    });
  }
}
