import { sizeOfEvent } from '../log/sizes.ts';
import type { Bus, Logger, ReadLimit, Store } from '../ports.ts';
import { Feed } from './feed.ts';

interface Held {
  readonly feed: Feed;
  holders: number;
  readonly unwatch: () => void;
}

const READ_LIMIT: ReadLimit = { events: 512, bytes: 256 * 1024 };

/**
 * The feeds of this node, one for each task that somebody writes or reads here, kept while anybody holds it. A feed of
 * a task that another node writes is fed from the store when the bus says that there is more.
 */
export class Feeds {
  readonly #held = new Map<string, Held>();
  readonly #node: () => string;
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #recentBytes: number;

  constructor(options: { node: () => string; store: Store; bus: Bus; log: Logger; recentBytes: number }) {
    this.#node = options.node;
    this.#store = options.store;
    this.#bus = options.bus;
    this.#log = options.log;
    this.#recentBytes = options.recentBytes;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Every `acquire` needs one `release`. */
  acquire(taskId: string): Feed {
    const held = this.#held.get(taskId);
    if (held) {
      held.holders += 1;
      return held.feed;
    }
    const feed = new Feed(0, this.#recentBytes);
    // Nobody else writes an exclusive store, so there is nothing to hear of.
    const unwatch = this.#store.exclusive ? nothing : this.#follow(taskId, feed);
    this.#held.set(taskId, { feed, holders: 1, unwatch });
    return feed;
  }

  release(taskId: string, feed: Feed): void {
    const held = this.#held.get(taskId);
    if (held?.feed !== feed) return;
    held.holders -= 1;
    if (held.holders > 0) return;
    this.#held.delete(taskId);
    held.unwatch();
    feed.clear();
  }

  /** A feed that failed is replaced: who comes now must not meet the old error. */
  discard(taskId: string, feed: Feed): void {
    const held = this.#held.get(taskId);
    if (held?.feed !== feed) return;
    this.#held.delete(taskId);
    held.unwatch();
  }

  /** Reads what another node has committed, one read at a time and in order. */
  #follow(taskId: string, feed: Feed): () => void {
    let wanted = 0;
    let reading = false;
    const read = async (): Promise<void> => {
      while (feed.latest < wanted) {
        const events = await this.#store.read(taskId, feed.latest, READ_LIMIT);
        if (events.length === 0) return;
        feed.publish(events.map((event) => ({ event, size: sizeOfEvent(event) })));
      }
    };
    return this.#bus.watch(this.#node(), taskId, (seq) => {
      wanted = Math.max(wanted, seq);
      if (reading) return;
      reading = true;
      read()
        .catch((error: unknown) => this.#log.warn('A task of another node could not be followed', { taskId, error }))
        .finally(() => {
          reading = false;
        });
    });
  }
}

function nothing(): void {}
