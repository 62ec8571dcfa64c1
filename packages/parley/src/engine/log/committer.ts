import type { CommitFollowers, Committed } from '../follow/commit-followers.ts';
import type { Clock, CommitEntry, CommitResult, Logger, Store } from '../ports.ts';

/** Something that is committed: a task, or a bare reply. */
export interface Committable {
  /** True while it is marked; only the committer sets this. */
  isMarked: boolean;
  /** Everything that is pending, or undefined if there is nothing. */
  take(): CommitEntry | undefined;
  /** What was taken is on disk. Returns what followers are told of it; undefined where there is nothing to tell. */
  settled(): Committed | undefined;
  /** Followers have been told of what was settled. */
  told(): void;
  /** The store has refused what was taken. */
  refused(result: Exclude<CommitResult, 'ok'>): void;
  /** The store could not be written, however often it was tried. */
  failed(error: unknown): void;
}

const RETRY_DELAYS: readonly number[] = [20, 50, 100, 200, 400, 800, 1600];

/** Milliseconds for which a commit that was given up counts: others of its size would hardly fare better. */
const REMEMBERED = 10_000;

/**
 * Group commit: one commit is in flight, and the next batch gathers meanwhile. The first one waits for the next turn of
 * the loop, so that what an agent writes in one turn goes to disk and to sockets together.
 */
export class Committer {
  readonly #store: Pick<Store, 'commit'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #followers: CommitFollowers;
  #dirty: Committable[] = [];
  #busy = false;
  /** A commit that failed is being tried again. */
  #isRetrying = false;
  /** When a commit was given up. */
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #idle: (() => void)[] = [];

  constructor(store: Pick<Store, 'commit'>, clock: Clock, log: Logger, followers: CommitFollowers) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#followers = followers;
  }

  /** This one has something pending. */
  mark(source: Committable): void {
    if (source.isMarked) return;
    source.isMarked = true;
    this.#dirty.push(source);
    if (this.#busy) return;
    this.#busy = true;
    this.#clock.nextTurn(this.#flush);
  }

  /** The number of those that have something pending which is in no commit yet. */
  get waiting(): number {
    return this.#dirty.length;
  }

  /** Resolves when nothing is pending or in flight. */
  drained(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** The store cannot be written, or could not a moment ago. */
  get isFailing(): boolean {
    return this.#isRetrying || this.#clock.now() - this.#failedAt < REMEMBERED;
  }

  readonly #flush = (): void => {
    const sources: Committable[] = [];
    const entries: CommitEntry[] = [];
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const source of dirty) {
      source.isMarked = false;
      const entry = source.take();
      if (!entry) continue;
      sources.push(source);
      entries.push(entry);
    }
    this.#attempt(entries, 0).then(
      (results) => this.#settle(sources, results),
      (error: unknown) => this.#fail(sources, error),
    );
  };

  async #attempt(entries: readonly CommitEntry[], attempt: number): Promise<readonly CommitResult[]> {
    try {
      return entries.length === 0 ? [] : await this.#store.commit(entries);
    } catch (error) {
      const delay = RETRY_DELAYS[attempt];
      this.#isRetrying = true;
      if (delay === undefined) throw error;
      this.#log.warn('The store refused a commit; trying again', { attempt: attempt + 1, error });
      await new Promise<void>((resolve) => void this.#clock.after(delay, resolve));
      return this.#attempt(entries, attempt + 1);
    }
  }

  #settle(sources: readonly Committable[], results: readonly CommitResult[]): void {
    this.#isRetrying = false;
    const committed: Committed[] = [];
    for (let index = 0; index < sources.length; index += 1) {
      const result = results[index] ?? 'conflict';
      try {
        if (result !== 'ok') {
          sources[index]?.refused(result);
          continue;
        }
        const done = sources[index]?.settled();
        if (done) committed.push(done);
      } catch (error) {
        this.#logTrouble(error);
      }
    }
    this.#followers.tell(committed);
    for (let index = 0; index < sources.length; index += 1) {
      try {
        if (results[index] === 'ok') sources[index]?.told();
      } catch (error) {
        this.#logTrouble(error);
      }
    }
    this.#next();
  }

  #fail(sources: readonly Committable[], error: unknown): void {
    this.#isRetrying = false;
    this.#failedAt = this.#clock.now();
    this.#log.error('The store could not be written', { error, tasks: sources.length });
    for (const source of sources) {
      try {
        source.failed(error);
      } catch (trouble) {
        this.#logTrouble(trouble);
      }
    }
    this.#next();
  }

  /** One task's trouble must not stop the others' commits. */
  #logTrouble(error: unknown): void {
    this.#log.error('A commit could not be handed on', { error });
  }

  #next(): void {
    if (this.#dirty.length > 0) {
      this.#clock.nextTurn(this.#flush);
      return;
    }
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
