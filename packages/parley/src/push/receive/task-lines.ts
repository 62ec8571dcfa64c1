import { PushError } from '../verify/push-error.ts';

/** How many notifications wait for those before them, of all tasks. A sender sends one after the other. */
const MOST_WAITING = 1_000;

/** Lets one piece of work of a task run at a time, in the order in which they came. */
export class TaskLines {
  readonly #ends = new Map<string, Promise<unknown>>();
  #waiting = 0;

  async run<Result>(taskId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MOST_WAITING) throw new PushError('BUSY', 'Too many notifications wait; send it again later');
    this.#waiting += 1;
    const before = this.#ends.get(taskId) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#ends.set(taskId, turn);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      if (this.#ends.get(taskId) === turn) this.#ends.delete(taskId);
    }
  }
}
