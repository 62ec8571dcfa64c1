import type { Clock, Logger, PurgeQuery, Store } from '../ports.ts';
import { closedError } from '../task/sends.ts';
import type { Tasks } from '../task/tasks.ts';

/** A commit waits for one batch at most. */
const BATCH = 50;

export interface PurgesOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a task is kept after it has ended, in milliseconds. */
  readonly retention: number;
}

/** Removes tasks that have ended: when they have been kept long enough, and when operators say so. */
export class Purges {
  readonly #options: PurgesOptions;
  readonly #running = new Set<Promise<number>>();
  #isTidying = false;
  #closed = false;

  constructor(options: PurgesOptions) {
    this.#options = options;
  }

  /** Begins to remove what has been kept long enough. It takes as long as it takes; until then this does nothing. */
  tidy(): void {
    const { clock, log, retention } = this.#options;
    if (this.#isTidying || this.#closed || retention === Number.POSITIVE_INFINITY) return;
    this.#isTidying = true;
    this.purge({ endedBefore: clock.now() - retention })
      .catch((error: unknown) => {
        if (!this.#closed) log.warn('Tasks could not be purged', { error });
      })
      .finally(() => {
        this.#isTidying = false;
      });
  }

  /** Resolves with the number of tasks that were removed. */
  purge(query: Omit<PurgeQuery, 'limit'>): Promise<number> {
    const running = this.#purge(query).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when nothing is being removed any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }

  async #purge(query: Omit<PurgeQuery, 'limit'>): Promise<number> {
    const { store, tasks, clock } = this.#options;
    let count = 0;
    for (;;) {
      if (this.#closed) throw closedError();
      const removed = await store.purge({ ...query, limit: BATCH });
      if (removed.length === 0) return count;
      tasks.purged(removed);
      count += removed.length;
      await new Promise<void>((resolve) => clock.nextTurn(resolve));
    }
  }
}
