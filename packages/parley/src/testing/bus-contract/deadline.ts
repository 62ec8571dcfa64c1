import { TooLate, within } from '../store-contract/patience.ts';

const BETWEEN_LOOKS = 5;

/** The time limit of one test. */
export class Deadline {
  readonly #milliseconds: number;
  #end: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#end = Date.now() + milliseconds;
  }

  /** Settles as the promise does, or rejects with a sentence about `what` once the time is up. */
  wait<Value>(promise: PromiseLike<Value>, what: string): Promise<Value> {
    return within(promise, Math.max(0, this.#end - Date.now()), this.#sentence(`${what} has not settled`));
  }

  /** Resolves when the look is true, or rejects with a sentence about `what` once the time is up. */
  async until(look: () => boolean, what: string): Promise<void> {
    while (!look()) {
      if (Date.now() > this.#end) throw new TooLate(this.#sentence(what));
      await pause(BETWEEN_LOOKS);
    }
  }

  /** Gives what comes after the test as much time as the test had. */
  renew(): void {
    this.#end = Date.now() + this.#milliseconds;
  }

  #sentence(what: string): string {
    return `${what} after ${this.#milliseconds} ms`;
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
