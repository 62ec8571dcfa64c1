import { closedError } from '../log/refusals.ts';
import type { Clock, Logger, PurgeQuery, Store, TrimmedPart } from '../ports.ts';
import type { Tasks } from '../task/tasks.ts';
import type { Retention } from './retention.ts';

/** Tasks that one call of the store removes or trims; a commit waits for one such call at most. */
const BATCH = 50;

export interface PurgesOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly clock: Clock;
  readonly log: Logger;
  readonly retention: Retention;
}

const PARTS: readonly Exclude<TrimmedPart, 'rows'>[] = ['events', 'journals', 'deliveries'];

/** Removes tasks that have ended, and parts of them: after their retention, and when an operator asks for it. */
export class Purges {
  readonly #options: PurgesOptions;
  readonly #running = new Set<Promise<number>>();
  /** The duties that are under way, by their names in warnings. */
  readonly #duties = new Set<string>();
  #closed = false;

  constructor(options: PurgesOptions) {
    this.#options = options;
  }

  /** Begins to remove tasks that were kept for their retention and to fold logs, unless it is still doing so. */
  tidy(): void {
    const { clock, retention } = this.#options;
    if (retention.tasks !== Number.POSITIVE_INFINITY) {
      this.#begin('Tasks could not be purged', () =>
        this.purge({ endedBefore: clock.now() - retention.tasks, keepsUntold: true }),
      );
    }
    this.#begin('Logs of tasks could not be folded', () => this.#trim('rows', clock.now()));
  }

  /** Begins to remove those parts of ended tasks that were kept for their retention, unless it is still doing so. */
  thin(): void {
    const { clock, retention } = this.#options;
    for (const part of PARTS) {
      const age = retention[part];
      if (age === Number.POSITIVE_INFINITY) continue;
      this.#begin(`The ${part} of tasks could not be purged`, () => this.#trim(part, clock.now() - age));
    }
  }

  /** Removes tasks, and resolves with their number. */
  purge(query: Omit<PurgeQuery, 'limit'>): Promise<number> {
    return this.#track(this.#purge(query));
  }

  /** Resolves when no removal is under way; further ones are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }

  #begin(problem: string, work: () => Promise<number>): void {
    if (this.#closed || this.#duties.has(problem)) return;
    this.#duties.add(problem);
    work()
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.log.warn(problem, { error });
      })
      .finally(() => this.#duties.delete(problem));
  }

  #track(work: Promise<number>): Promise<number> {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async #purge(query: Omit<PurgeQuery, 'limit'>): Promise<number> {
    const { store, tasks } = this.#options;
    let count = 0;
    for (;;) {
      if (this.#closed) throw closedError();
      const removed = await store.purge({ ...query, limit: BATCH });
      if (removed.length === 0) return count;
      tasks.purged(removed);
      count += removed.length;
      await this.#nextTurn();
    }
  }

  /** Removes one part of ended tasks; resolves with their number. */
  #trim(part: TrimmedPart, endedBefore: number): Promise<number> {
    return this.#track(this.#trimAll(part, endedBefore));
  }

  async #trimAll(part: TrimmedPart, endedBefore: number): Promise<number> {
    const { store } = this.#options;
    let count = 0;
    let after: string | undefined;
    while (store.trim && !this.#closed) {
      const { tasks, next } = await store.trim({ part, endedBefore, after, limit: BATCH });
      count += tasks.length;
      if (next === undefined) break;
      after = next;
      await this.#nextTurn();
    }
    return count;
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.nextTurn(resolve));
  }
}
