import type { CommitFollowers, Committed } from '../follow/commit-followers.ts';
import { inTime } from '../node/in-time.ts';
import type { Clock, CommitEntry, CommitResult, Logger } from '../ports.ts';
import type { CommitAttempts, CommitOutcome, CommitSource } from './commit-attempts.ts';
import { CommitPace } from './commit-pace.ts';
import { storeUnavailable } from './refusals.ts';

/** Something that is committed: a task, or a bare reply. */
export interface Committable extends CommitSource {
  /** True while it is marked; only the committer sets this. */
  isMarked: boolean;
  /** Everything that is pending, or undefined if there is nothing. */
  take(): CommitEntry | undefined;
  /** The entry taken is on disk. Returns what to tell followers; undefined if there is nothing. */
  settled(): Committed | undefined;
  /** Followers have been told of what was settled. */
  told(): void;
  /** The store has refused what was taken. */
  refused(result: Exclude<CommitResult, 'ok'>): void;
  /** The store could not be written, however often it was tried. */
  failed(error: unknown): void;
}

/** Something that could not be committed. */
interface Failure {
  readonly source: Committable | undefined;
  readonly error: unknown;
}

/** The most tasks whose chunks gather: to tell the readers of more would keep others waiting for too long. */
const MOST_GATHERED = 64;

/** Milliseconds for which a commit that was given up counts: others of its size would hardly fare better. */
const REMEMBERED = 10_000;

/** Milliseconds after which a commit that is not done counts as one that fails: the next ones wait for it. */
const LATE = 5_000;

export interface CommitterOptions {
  readonly attempts: CommitAttempts;
  readonly clock: Clock;
  readonly log: Logger;
  readonly followers: CommitFollowers;
  readonly patience?: number | undefined;
}

/**
 * Group commit: one commit is in flight, and the next batch gathers meanwhile. The first one waits for the next turn of
 * the loop, so that what an agent writes in one turn goes to disk and to sockets together. Chunks may gather for longer; whatever
 * else is marked takes them along.
 */
export class Committer {
  readonly #attempts: CommitAttempts;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #followers: CommitFollowers;
  /** Milliseconds that callers wait for a commit; undefined where attempts end by themselves. */
  readonly #patience: number | undefined;
  #dirty: Committable[] = [];
  #busy = false;
  readonly #pace: CommitPace;
  /** Something is marked that must not wait for more chunks. */
  #isDue = false;
  /** Ends the pause in which chunks gather; undefined if there is none. */
  #endPause: (() => void) | undefined;
  /** When the commit that is in flight began; infinite where none is. */
  #begunAt = Number.POSITIVE_INFINITY;
  /** When a commit was given up. */
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #idle: (() => void)[] = [];

  constructor(options: CommitterOptions) {
    this.#attempts = options.attempts;
    this.#clock = options.clock;
    this.#pace = new CommitPace(options.clock);
    this.#log = options.log;
    this.#followers = options.followers;
    this.#patience = options.patience;
  }

  /** This one has something pending. `canWait`: chunks alone, with which others may gather. */
  mark(source: Committable, canWait = false): void {
    if (!canWait) this.#isDue = true;
    if (!source.isMarked) {
      source.isMarked = true;
      this.#dirty.push(source);
    }
    if (!this.#busy) {
      this.#busy = true;
      this.#schedule();
    } else if (!canWait || this.#dirty.length >= MOST_GATHERED) {
      this.#endPause?.();
    }
  }

  /** The number of those that have something pending which is in no commit yet. */
  get waiting(): number {
    return this.#dirty.length;
  }

  /** A wait for a commit that a caller does not wait for longer than it may; what is committed later stays committed. */
  inTime(committed: Promise<void>): Promise<void> {
    if (this.#patience === undefined) return committed;
    return inTime(this.#clock, this.#patience, committed, () => storeUnavailable('The commit is late'));
  }

  /** Gives up everything that cannot be written from now on. */
  stop(): void {
    this.#attempts.stop();
  }

  /** Resolves when nothing is pending or in flight. */
  drained(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    this.#isDue = true;
    this.#endPause?.();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** The store cannot be written, or could not a moment ago, or takes too long. */
  get isFailing(): boolean {
    const now = this.#clock.now();
    return this.#attempts.isRetrying || now - this.#failedAt < REMEMBERED || now - this.#begunAt > LATE;
  }

  /** Milliseconds for which what is marked may still gather. */
  get #pause(): number {
    return this.#isDue || this.#dirty.length >= MOST_GATHERED ? 0 : this.#pace.pause;
  }

  #schedule(): void {
    const pause = this.#pause;
    if (pause === 0) {
      this.#clock.nextTurn(this.#flush);
      return;
    }
    const stop = this.#clock.after(pause, () => this.#endPause?.(), { keepsAlive: true });
    this.#endPause = () => {
      stop();
      this.#endPause = undefined;
      this.#clock.nextTurn(this.#flush);
    };
  }

  readonly #flush = (): void => {
    this.#isDue = false;
    this.#pace.begin();
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
    if (entries.length === 0) {
      this.#next();
      return;
    }
    this.#begunAt = this.#clock.now();
    void this.#attempts.commit(entries, sources).then((outcomes) => this.#settle(sources, outcomes));
  };

  #settle(sources: readonly Committable[], outcomes: readonly CommitOutcome[]): void {
    this.#begunAt = Number.POSITIVE_INFINITY;
    this.#pace.settle();
    const committed: Committed[] = [];
    let failures: Failure[] | undefined;
    for (let index = 0; index < sources.length; index += 1) {
      const outcome = outcomes[index] ?? 'conflict';
      try {
        if (outcome !== 'ok') {
          if (typeof outcome === 'string') sources[index]?.refused(outcome);
          else if (!sources[index]?.isWithdrawn) {
            failures ??= [];
            failures.push({ source: sources[index], error: outcome.error });
          }
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
        if (outcomes[index] === 'ok') sources[index]?.told();
      } catch (error) {
        this.#logTrouble(error);
      }
    }
    if (failures) this.#fail(failures);
    this.#clock.nextTurn(this.#endTurn);
  }

  #fail(failures: readonly Failure[]): void {
    this.#failedAt = this.#clock.now();
    this.#log.error('The store could not be written', { error: failures[0]?.error, tasks: failures.length });
    for (const { source, error } of failures) {
      try {
        source?.failed(error);
      } catch (trouble) {
        this.#logTrouble(trouble);
      }
    }
  }

  /** One task's trouble must not stop the others' commits. */
  #logTrouble(error: unknown): void {
    this.#log.error('A commit could not be handed on', { error });
  }

  /** The readers of a commit were told in the turn before. */
  readonly #endTurn = (): void => {
    this.#pace.endTurn();
    if (this.#dirty.length > 0 && this.#pause === 0) this.#flush();
    else this.#next();
  };

  #next(): void {
    if (this.#dirty.length > 0) {
      this.#schedule();
      return;
    }
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
