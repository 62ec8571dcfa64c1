import type { Clock, Logger, PurgeQuery, Store } from '../ports.ts';
import { closedError } from '../send/sends.ts';
import type { Tasks } from '../task/tasks.ts';

/** Tasks that one call of the store removes; a commit waits for one such call at most. */
const BATCH = 50;

export interface PurgesOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a task is kept after it has ended, in milliseconds. */
  readonly retention: number;
}

/** Removes tasks that have ended: after their retention, and when an operator asks for it. */
export class Purges {
  readonly #options: PurgesOptions;
  readonly #running = new Set<Promise<number>>();
  #isTidying = false;
  #closed = false;

  constructor(options: PurgesOptions) {
    this.#options = options;
  }

  /** Begins to remove tasks that were kept for their retention, unless it is still doing so. */
  tidy(): void {
    const { clock, log, retention } = this.#options;
    if (this.#isTidying || this.#closed || retention === Number.POSITIVE_INFINITY) return;
    this.#isTidying = true;
    this.purge({ endedBefore: clock.now() - retention, keepsUntold: true })
      .catch((error: unknown) => {
        if (!this.#closed) log.warn('Tasks could not be purged', { error });
      })
      .finally(() => {
        this.#isTidying = false;
      });
  }

  /** Removes tasks, and resolves with their number. */
  purge(query: Omit<PurgeQuery, 'limit'>): Promise<number> {
    const running = this.#purge(query).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when no removal is under way; further ones are refused. */
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
