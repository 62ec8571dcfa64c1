import { skip } from '../verdict.ts';

/** The bounds of a whole check. */
export interface Limits {
  /** The number of requests. */
  readonly requests: number;
  /** The time of one response in milliseconds, and of one event of a stream. */
  readonly answerMs: number;
  /** The time of the whole check in milliseconds. */
  readonly totalMs: number;
  /** The size of one response in bytes. */
  readonly responseBytes: number;
  /** The events of one stream. */
  readonly streamEvents: number;
}

export const DEFAULT_TOTAL_MS = 180_000;
const LONGEST_ANSWER_MS = 30_000;
/** Several slow answers must fit into the whole. */
const ANSWERS_IN_TOTAL = 4;

export function limitsWithin(totalMs: number): Limits {
  return {
    requests: 4000,
    answerMs: Math.min(LONGEST_ANSWER_MS, Math.ceil(totalMs / ANSWERS_IN_TOTAL)),
    totalMs,
    responseBytes: 2 ** 20,
    streamEvents: 2000,
  };
}

/** Counts what a check has spent. Once it is spent, the rules that are left are skipped. */
export class Budget {
  readonly limits: Limits;
  readonly #deadline: number;
  readonly #now: () => number;
  #requests = 0;

  constructor(limits: Limits, now: () => number = () => performance.now()) {
    this.limits = limits;
    this.#now = now;
    this.#deadline = now() + limits.totalMs;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Milliseconds until the whole time is over. */
  get left(): number {
    return Math.max(0, this.#deadline - this.#now());
  }

  /** The time that one response may take now. */
  get answerMs(): number {
    return Math.min(this.limits.answerMs, this.left);
  }

  /** To be called before a request. */
  spend(): void {
    if (this.left === 0) skip(`the time of the check is over (${this.limits.totalMs / 1000} s; see --timeout)`);
    if (this.#requests >= this.limits.requests) skip(`the check has made its ${this.limits.requests} requests`);
    this.#requests += 1;
  }
}
