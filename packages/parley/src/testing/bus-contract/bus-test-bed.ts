import type { Awaitable, Bus, Notice } from '../../engine/ports.ts';

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

/** The longest time that a working bus may take for a notice or a response, in milliseconds. */
const PATIENCE = 10_000;
const BETWEEN_LOOKS = 5;
/** The time after which a notice that must not come counts as not sent, in milliseconds. */
const SILENCE = 100;

/** The bus of the running test, with both nodes on it. */
export class BusTestBed {
  readonly first: Bus;
  readonly second: Bus;
  readonly #heard: Notice[] = [];
  readonly #ends: BusEnds;

  constructor(ends: BusEnds) {
    this.#ends = ends;
    this.first = ends.first;
    this.second = ends.second;
  }

  /** Joins both nodes; each responds to a command with what it was sent. */
  async join(): Promise<void> {
    await this.first.join(FIRST, async (command) => ({ node: FIRST, command }));
    await this.second.join(SECOND, async (command) => ({ node: SECOND, command }));
  }

  async close(): Promise<void> {
    await this.first.leave(FIRST);
    await this.second.leave(SECOND);
    await this.#ends.close?.();
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

  /** Resolves with true once the second node has heard of this seq, with false if it never does. */
  hears(taskId: string, seq: number): Promise<boolean> {
    return becomesTrue(() => this.latest(taskId) >= seq);
  }
}

export async function becomesTrue(look: () => boolean): Promise<boolean> {
  const end = Date.now() + PATIENCE;
  while (!look()) {
    if (Date.now() > end) return false;
    await pause(BETWEEN_LOOKS);
  }
  return true;
}

/** Resolves after a time in which a bus that works would have delivered. */
export function silence(): Promise<void> {
  return pause(SILENCE);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
