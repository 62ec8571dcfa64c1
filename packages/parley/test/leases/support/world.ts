import type { Clock } from '../../../src/engine/ports.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Lets everything run that waits for no timer. */
export async function settle(turns = 12): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The clock of one node in the world: its process can be stopped, and its wall clock set. */
export class NodeClock implements Clock {
  /** Milliseconds by which its wall clock is wrong. */
  skew = 0;
  readonly #world: World;
  readonly #timers = new Set<Timer>();
  #held: (() => void)[] | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  now = (): number => this.#world.time + this.skew;

  /** Not in whole milliseconds, as that of a real process. */
  monotonic = (): number => this.#world.time - World.START + 0.25;

  after(milliseconds: number, callback: () => void): () => void {
    if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
    const timer = { at: this.#world.time + milliseconds, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  nextTurn(callback: () => void): void {
    setImmediate(() => (this.#held ? this.#held.push(callback) : callback()));
  }

  /** Stops the process: neither timers nor turns of its loop come any more. */
  stop(): void {
    this.#held ??= [];
  }

  /** Lets the process go on. Its timers come a moment later, after requests that have waited for it. */
  goOn(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const callback of held) setImmediate(callback);
  }

  /** The process is stopped. */
  get isStopped(): boolean {
    return this.#held !== undefined;
  }

  /** Undefined while the process runs; else it resolves when it goes on. */
  whenRunning(): Promise<void> | undefined {
    return this.#held ? new Promise((resolve) => this.#held?.push(resolve)) : undefined;
  }

  /** Calls what is due, unless the process is stopped. */
  async fire(): Promise<void> {
    for (let due = this.#next(); due && !this.#held; due = this.#next()) {
      this.#timers.delete(due);
      due.callback();
      await settle();
    }
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= this.#world.time && timer.at < (next?.at ?? Number.POSITIVE_INFINITY)) next = timer;
    }
    return next;
  }
}

/** Time that is the same for all nodes and that a test moves. */
export class World {
  static readonly START = 1_700_000_000_000;
  time = World.START;
  readonly #nodes: NodeClock[] = [];

  clock(): NodeClock {
    const clock = new NodeClock(this);
    this.#nodes.push(clock);
    return clock;
  }

  /** Moves the time in small steps; what timers set off has settled when this resolves. */
  async pass(milliseconds: number, step = 250): Promise<void> {
    const end = this.time + milliseconds;
    await settle();
    while (this.time < end) {
      this.time = Math.min(end, this.time + step);
      for (const node of this.#nodes) await node.fire();
    }
  }
}
