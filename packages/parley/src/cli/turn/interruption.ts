import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';
import type { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * Ctrl-C: the first one does what is right at the moment, by default it gives up; a second one leaves at once.
 */
export class Interruption {
  #abort = new AbortController();
  readonly #release: () => void;
  #handler: (() => void) | undefined;
  #isHandled = false;

  constructor(surroundings: Surroundings, screen: Screen) {
    this.#release = surroundings.onInterrupt(() => {
      if (this.#isHandled || this.#abort.signal.aborted) {
        screen.idle();
        surroundings.leave(EXIT.interrupted);
      } else if (this.#handler) {
        this.#isHandled = true;
        this.#handler();
      } else {
        this.giveUp(new CommandError('Stopped', EXIT.interrupted, 'INTERRUPTED'));
      }
    });
  }

  /** For everything that is to end with it. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Does something else on Ctrl-C until the returned function is called. */
  handle(handler: () => void): () => void {
    this.#handler = handler;
    this.#isHandled = false;
    return () => {
      this.#handler = undefined;
      this.#isHandled = false;
    };
  }

  giveUp(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Begins again if there is more to do than what was given up. */
  renew(): void {
    if (this.#abort.signal.aborted) this.#abort = new AbortController();
  }

  release(): void {
    this.#release();
  }
}
