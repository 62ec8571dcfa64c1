import type { Awaitable, RateFacet } from '../../../engine/ports.ts';

/** The parts of a quota; a node takes one at a time, so that most requests need no read of the store. */
const SHARES = 20;

interface ShareOptions {
  readonly facet: RateFacet;
  readonly key: string;
  readonly quota: number;
  readonly window: number;
}

/** One node's share of a caller's quota, which is counted in the store for all nodes together. */
export class RateShare {
  readonly #options: ShareOptions;
  /** Requests that may pass here without another question. */
  #permits = 0;
  /** The part of the quota that all nodes have taken, as far as is known here. */
  #total = 0;
  #endsAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  /** Requests that wait for the question which is under way. */
  #waiting = 0;

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  /** Takes one; the result is whether there was one. At once where this node has some, or knows that none is left. */
  take(now: number): Awaitable<boolean> {
    if (now >= this.#endsAt) this.#forget();
    if (this.#permits > 0 && !this.#asking) {
      this.#permits -= 1;
      return true;
    }
    return this.#isUsedUp ? false : this.#askAndTake(now);
  }

  /** Gives one back that was not used. */
  giveBack(): void {
    this.#permits += 1;
  }

  isIdle(now: number): boolean {
    return now >= this.#endsAt && !this.#asking;
  }

  /** The number of further requests that may pass, on any node. */
  get remaining(): number {
    return Math.max(0, this.#options.quota - this.#total) + this.#permits;
  }

  /** Milliseconds until the quota is whole again. */
  reset(now: number): number {
    return Math.max(0, Math.min(this.#options.window, this.#endsAt - now));
  }

  get #isUsedUp(): boolean {
    return this.#permits === 0 && this.#total >= this.#options.quota && !this.#asking;
  }

  /** One question at a time, for all who wait. */
  async #askAndTake(now: number): Promise<boolean> {
    this.#waiting += 1;
    try {
      for (;;) {
        this.#asking ??= this.#ask(now).finally(() => {
          this.#asking = undefined;
        });
        await this.#asking;
        if (this.#permits > 0) {
          this.#permits -= 1;
          return true;
        }
        if (this.#total >= this.#options.quota) return false;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  async #ask(now: number): Promise<void> {
    const { facet, key, quota, window } = this.#options;
    // All who come in this turn of the loop are in it.
    await Promise.resolve();
    const wanted = Math.max(1, Math.floor(quota / SHARES), Math.min(this.#waiting, quota));
    const { total, left } = await facet.countRate(key, wanted, window);
    this.#permits += Math.max(0, Math.min(wanted, quota - (total - wanted)));
    this.#total = total;
    this.#endsAt = now + left;
  }

  /** The window is over. */
  #forget(): void {
    if (this.#asking) return;
    this.#permits = 0;
    this.#total = 0;
  }
}
