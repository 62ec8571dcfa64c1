import type { Clock } from '../ports.ts';

/** Milliseconds that chunks wait for each other at most. */
const LONGEST_PAUSE = 5;

/** The pause before the next commit of chunks, by the turn of the loop that a commit takes. */
const PAUSE_BY_TURN = 4;

/** The shortest of so many turns counts: one that is long by chance delays nothing. */
const TURNS = 4;

/** Timers count whole milliseconds: a shorter pause is none. */
const SHORTEST_PAUSE = 1;

/**
 * Decides how long chunks gather before they are committed. A commit costs a turn of the event loop, mostly for writes to the
 * sockets of readers. Where that turn is long, the next commit waits in proportion, so that a busy server writes several
 * chunks of a stream at once. A server that is not busy never waits, nor does one whose clock cannot tell how long a turn took.
 */
export class CommitPace {
  readonly #time: (() => number) | undefined;
  #begunAt = 0;
  #settledAt = 0;
  readonly #turns: number[] = new Array<number>(TURNS).fill(0);
  #oldest = 0;

  constructor(clock: Clock) {
    this.#time = clock.monotonic?.bind(clock);
  }

  /** A commit begins. */
  begin(): void {
    if (this.#time) this.#begunAt = this.#time();
  }

  /** A commit is on disk; its readers are told in this turn of the loop. */
  settle(): void {
    if (this.#time) this.#settledAt = this.#time();
  }

  /** That turn is over. */
  endTurn(): void {
    if (!this.#time) return;
    this.#turns[this.#oldest] = this.#time() - this.#settledAt;
    this.#oldest = (this.#oldest + 1) % TURNS;
  }

  /** Milliseconds until the next commit of chunks; 0 where it is due. */
  get pause(): number {
    if (!this.#time) return 0;
    const length = Math.min(LONGEST_PAUSE, PAUSE_BY_TURN * Math.min(...this.#turns));
    if (length < SHORTEST_PAUSE) return 0;
    const left = this.#begunAt + length - this.#time();
    return left < SHORTEST_PAUSE ? 0 : left;
  }
}
