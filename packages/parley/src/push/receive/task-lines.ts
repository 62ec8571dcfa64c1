import { PushError } from '../verify/push-error.ts';

/** The most notifications that wait for earlier ones, of all tasks. A sender sends one after the other. */
const MOST_WAITING = 1_000;
/** The same of one task, so that work which never ends holds up its own task alone. */
const MOST_WAITING_OF_TASK = 16;

/** Lets one piece of work of a task run at a time, in the order in which they came. */
export class TaskLines {
  readonly #lines = new Map<string, { length: number; end: Promise<unknown> }>();
  #waiting = 0;

  async run<Result>(taskId: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(taskId) ?? { length: 0, end: Promise.resolve() };
    if (this.#waiting >= MOST_WAITING || line.length >= MOST_WAITING_OF_TASK) {
      throw new PushError('BUSY', 'Too many notifications wait; send it again later');
    }
    this.#waiting += 1;
    line.length += 1;
    const turn = line.end.then(work, work);
    line.end = turn;
    this.#lines.set(taskId, line);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(taskId);
    }
  }
}
