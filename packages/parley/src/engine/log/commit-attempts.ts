import type { Clock, CommitEntry, CommitResult, Logger, Store } from '../ports.ts';

/** The result of one entry; an error where it could not be written, or it is no longer wanted. */
export type CommitOutcome = CommitResult | { readonly error: unknown };

export interface CommitSource {
  /** It is not waited for: it need not be tried again if it could not be written. */
  readonly isWithdrawn?: boolean | undefined;
}

/** Brings a batch to the store, however many attempts that takes. */
export interface CommitAttempts {
  /** A commit that failed is being tried again. */
  readonly isRetrying: boolean;
  /** One outcome for each entry. `sources`: where the entries are from; one that is withdrawn is not tried again. */
  commit(entries: readonly CommitEntry[], sources: readonly CommitSource[]): Promise<readonly CommitOutcome[]>;
  /** Commits that fail from now on are not repeated. */
  stop(): void;
}

/** Milliseconds before each further attempt. */
export const RETRY_DELAYS: readonly number[] = [20, 50, 100, 200, 400, 800, 1600];

/** A few attempts, for a store that nobody else writes: what fails this long is given up. */
export class BriefAttempts implements CommitAttempts {
  readonly #store: Pick<Store, 'commit'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  #isRetrying = false;

  constructor(store: Pick<Store, 'commit'>, clock: Clock, log: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  get isRetrying(): boolean {
    return this.#isRetrying;
  }

  stop(): void {}

  commit(entries: readonly CommitEntry[]): Promise<readonly CommitOutcome[]> {
    return this.#attempt(entries, 0);
  }

  async #attempt(entries: readonly CommitEntry[], attempt: number): Promise<readonly CommitOutcome[]> {
    try {
      const results = await this.#store.commit(entries);
      this.#isRetrying = false;
      return results;
    } catch (error) {
      const delay = RETRY_DELAYS[attempt];
      this.#isRetrying = delay !== undefined;
      if (delay === undefined) return entries.map(() => ({ error }));
      this.#log.warn('The store refused a commit; trying again', { attempt: attempt + 1, error });
      await new Promise<void>((resolve) => void this.#clock.after(delay, resolve));
      return this.#attempt(entries, attempt + 1);
    }
  }
}
