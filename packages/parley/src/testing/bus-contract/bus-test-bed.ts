import type { Awaitable, Bus, Notice } from '../../engine/ports.ts';
import { withPatience } from '../store-contract/patience.ts';
import { type Deadline, pause } from './deadline.ts';

/** A bus for one test. */
export interface BusEnds {
  /** Two ends of one bus: two connections as two processes have them, or one object where that serves both. */
  readonly first: Bus;
  readonly second: Bus;
  /** Called after the test, when every node has left. */
  close?(): Awaitable<void>;
}

/** Opens a new bus, on which nothing of another test is heard. */
export type OpenBus = () => Awaitable<BusEnds>;

export const FIRST = 'node-1';
export const SECOND = 'node-2';

/** The time after which a notice that must not come counts as not sent, in milliseconds. */
const SILENCE = 100;

/** The bus of the running test, with both nodes on it. */
export class BusTestBed {
  readonly first: Bus;
  readonly second: Bus;
  readonly #heard: Notice[] = [];
  readonly #ends: BusEnds;
  readonly #deadline: Deadline;

  constructor(ends: BusEnds, deadline: Deadline) {
    const wait = <Value>(promise: PromiseLike<Value>, method: string) =>
      deadline.wait(promise, `\`${method}\` of the bus`);
    this.#ends = ends;
    this.#deadline = deadline;
    this.first = withPatience(ends.first, wait);
    this.second = withPatience(ends.second, wait);
  }

  /** Joins both nodes; each responds to a command with what it was sent. */
  async join(): Promise<void> {
    await this.first.join(FIRST, async (command) => ({ node: FIRST, command }));
    await this.second.join(SECOND, async (command) => ({ node: SECOND, command }));
  }

  async close(): Promise<void> {
    this.#deadline.renew();
    await this.first.leave(FIRST);
    await this.second.leave(SECOND);
    const closing = async () => this.#ends.close?.();
    await this.#deadline.wait(closing(), '`close` of what `openBus` returned');
  }

  /** Watches a task on the second node and notes what is heard. */
  async watch(taskId: string): Promise<() => void> {
    return this.second.watch(SECOND, taskId, (seq) => {
      if (seq !== undefined) this.#heard.push({ taskId, seq });
    });
  }

  /** The highest seq that was heard of a task. */
  latest(taskId: string): number {
    return Math.max(0, ...this.#heard.filter((notice) => notice.taskId === taskId).map(({ seq }) => seq));
  }

  publish(taskId: string, seq: number): void {
    this.first.publish(FIRST, [{ taskId, seq }]);
  }

  /** Resolves once the second node has heard of this seq. */
  hears(taskId: string, seq: number): Promise<void> {
    const what = `A watch of ${SECOND} for the task ${JSON.stringify(taskId)} has not heard of seq ${seq}`;
    return this.until(() => this.latest(taskId) >= seq, what);
  }

  /** Resolves once the second node was handed a command, which is what the promise tells. */
  async isAsked(asked: Promise<void>): Promise<void> {
    await this.#deadline.wait(asked, `A request for ${SECOND}, whose handler was not called,`);
  }

  /** Resolves when the look is true; `what` is the sentence for when it never is. */
  until(look: () => boolean, what: string): Promise<void> {
    return this.#deadline.until(look, what);
  }
}

/** Resolves after a time in which a bus that works would have delivered. */
export function silence(): Promise<void> {
  return pause(SILENCE);
}
