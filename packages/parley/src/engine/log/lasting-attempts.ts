import { monotonicTime } from '../node/clock.ts';
import { inTime } from '../node/in-time.ts';
import type { Tenure } from '../node/tenure.ts';
import type { Clock, CommitEntry, Logger, Store } from '../ports.ts';
import { type CommitAttempts, type CommitOutcome, type CommitSource, RETRY_DELAYS } from './commit-attempts.ts';
import { storeUnavailable } from './refusals.ts';
import { isWritten } from './written-entries.ts';

interface LastingAttemptsOptions {
  readonly commit: Store['commit'];
  /** For finding out what became of an attempt that was not answered. */
  readonly store: Pick<Store, 'head' | 'journal' | 'key' | 'probe'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tenure: Pick<Tenure, 'hasRenewedSince'>;
  /** Milliseconds after which an attempt counts as failed. */
  readonly patience: number;
}

/**
 * Attempts until the store is back, for a store that several nodes share: its server may restart, and runs wait meanwhile. Once
 * another node has taken a task over, the store refuses its commits. An attempt that failed may have been written nevertheless,
 * which is found out before the next one. Only what a store that works refuses again and again is given up.
 */
export class LastingAttempts implements CommitAttempts {
  readonly #options: LastingAttemptsOptions;
  #isRetrying = false;
  #isStopped = false;

  constructor(options: LastingAttemptsOptions) {
    this.#options = options;
  }

  get isRetrying(): boolean {
    return this.#isRetrying;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async commit(entries: readonly CommitEntry[], sources: readonly CommitSource[]): Promise<readonly CommitOutcome[]> {
    const { clock, log } = this.#options;
    const outcomes: (CommitOutcome | undefined)[] = entries.map(() => undefined);
    let failedAt = Number.POSITIVE_INFINITY;
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (attempt > 0) await this.#settle(entries, outcomes, sources);
        const isAtFault = attempt > RETRY_DELAYS.length && (await this.#works(failedAt));
        if (isAtFault) await this.#oneByOne(entries, outcomes, failedAt);
        else await this.#together(entries, outcomes, attempt > 0);
        this.#isRetrying = false;
        return outcomes.map((outcome) => outcome ?? 'conflict');
      } catch (error) {
        this.#isRetrying = true;
        failedAt = monotonicTime(clock);
        if (this.#isStopped) return outcomes.map((outcome) => outcome ?? { error });
        log.warn('The store refused a commit; trying again', { attempt: attempt + 1, error });
        const delay = RETRY_DELAYS[Math.min(attempt, RETRY_DELAYS.length - 1)] ?? 0;
        await new Promise<void>((resolve) => void clock.after(delay, resolve));
      }
    }
  }

  /** Gives an outcome to what is written already, and to what is no longer wanted. */
  async #settle(
    entries: readonly CommitEntry[],
    outcomes: (CommitOutcome | undefined)[],
    sources: readonly CommitSource[],
  ): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const written = await Promise.all(
      entries.map(async (entry, index) => outcomes[index] === undefined && isWritten(store, entry, now)),
    );
    for (const [index, isThere] of written.entries()) {
      if (isThere) outcomes[index] = 'ok';
      else if (outcomes[index] === undefined && sources[index]?.isWithdrawn) {
        outcomes[index] = { error: storeUnavailable('Nobody waits for it any more') };
      }
    }
  }

  /** `isRepeated`: an earlier attempt may be written at any moment, and is what this one conflicts with. */
  async #together(
    entries: readonly CommitEntry[],
    outcomes: (CommitOutcome | undefined)[],
    isRepeated: boolean,
  ): Promise<void> {
    const { store, clock } = this.#options;
    const open = indexesOf(outcomes);
    if (open.length === 0) return;
    const results = await this.#inTime(open.flatMap((index) => entries[index] ?? []));
    for (const [place, index] of open.entries()) {
      const [result, entry] = [results[place] ?? 'conflict', entries[index]];
      const isLate = isRepeated && result !== 'ok' && entry && (await isWritten(store, entry, clock.now()));
      outcomes[index] = isLate ? 'ok' : result;
    }
  }

  /** Finds the entries that the store does not take. */
  async #oneByOne(
    entries: readonly CommitEntry[],
    outcomes: (CommitOutcome | undefined)[],
    since: number,
  ): Promise<void> {
    for (const index of indexesOf(outcomes)) {
      const entry = entries[index];
      if (!entry) continue;
      try {
        const [result] = await this.#inTime([entry]);
        outcomes[index] = result ?? 'conflict';
      } catch (error) {
        if (!(await this.#works(since))) throw error;
        outcomes[index] = { error };
      }
    }
  }

  async #inTime(entries: readonly CommitEntry[]) {
    const { commit, clock, patience } = this.#options;
    const late = () => new Error(`The store did not respond to a commit within ${patience} ms`);
    return inTime(clock, patience, commit(entries), late);
  }

  /** Tells whether the store takes other writes by now. */
  async #works(since: number): Promise<boolean> {
    const { store, clock, patience, tenure } = this.#options;
    if (!store.probe) return tenure.hasRenewedSince(since);
    try {
      await inTime(clock, patience, store.probe(), () => new Error('The store does not respond'));
      return true;
    } catch {
      return false;
    }
  }
}

function indexesOf(outcomes: readonly (CommitOutcome | undefined)[]): readonly number[] {
  return outcomes.flatMap((outcome, index) => (outcome === undefined ? [index] : []));
}
