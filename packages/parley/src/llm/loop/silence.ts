import type { RunHandle } from '../../engine/turn/runner.ts';
import { SilentModelError } from '../errors/failures.ts';
import type { LlmLimits } from '../limits.ts';

/** Looks at a response within the shortest silence that has a limit: one is noticed at most a quarter of that late. */
const LOOKS = 4;

/**
 * Gives up a response whose provider has gone silent. One timer looks at how much was heard, so that a token costs no
 * timer of its own.
 */
export class Silence {
  readonly #handle: Pick<RunHandle, 'after'>;
  readonly #limits: Pick<LlmLimits, 'firstTokenTimeout' | 'tokenTimeout'>;
  #heard = 0;
  #seen = 0;
  /** Milliseconds, as far as looks can tell. */
  #quiet = 0;
  #isHeld = false;
  #stop: (() => void) | undefined;
  /** The response was given up: nothing of it may be written any more. */
  isOver = false;

  constructor(handle: Pick<RunHandle, 'after'>, limits: Pick<LlmLimits, 'firstTokenTimeout' | 'tokenTimeout'>) {
    this.#handle = handle;
    this.#limits = limits;
  }

  /** The provider has sent something. */
  heard(): void {
    this.#heard += 1;
  }

  /** Waits for the readers of the response; the provider is not to blame for that time. */
  async hold(wait: Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await wait;
    } finally {
      this.#isHeld = false;
      this.#heard += 1;
    }
  }

  /** Rejects where the provider is silent for longer than it may be. */
  async limit<Result>(reading: Promise<Result>): Promise<Result> {
    const silent = Promise.withResolvers<never>();
    this.#look(silent.reject);
    try {
      return await Promise.race([reading, silent.promise]);
    } finally {
      this.isOver = true;
      this.#stop?.();
    }
  }

  #look(giveUp: (error: SilentModelError) => void): void {
    const { firstTokenTimeout, tokenTimeout } = this.#limits;
    // A limit of 0 is none.
    const limits = [firstTokenTimeout, tokenTimeout].filter((limit) => limit > 0);
    if (limits.length === 0) return;
    const pause = Math.ceil(Math.min(...limits) / LOOKS);
    this.#stop = this.#handle.after(pause, () => {
      const isQuiet = this.#heard === this.#seen && !this.#isHeld;
      this.#quiet = isQuiet ? this.#quiet + pause : 0;
      this.#seen = this.#heard;
      const most = this.#heard === 0 ? firstTokenTimeout : tokenTimeout;
      if (most > 0 && this.#quiet >= most) giveUp(new SilentModelError(most));
      else this.#look(giveUp);
    });
  }
}
