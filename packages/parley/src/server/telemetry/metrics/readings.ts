import type { Clock, Store } from '../../../engine/ports.ts';
import { TASK_STATES, type TaskState } from '../../../model/states.ts';
import type { Reading } from './registry.ts';

/** Milliseconds for which counts of the store hold: however often metrics are asked for, it is not asked more often. */
const HOLDS_FOR = 5000;

/** The tasks of the store by agent and state. */
export class TaskCounts {
  readonly #store: Pick<Store, 'list'>;
  readonly #agents: readonly string[];
  readonly #clock: Clock;
  #counted: Promise<readonly Reading[]> | undefined;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<Store, 'list'>, agents: readonly string[], clock: Clock) {
    this.#store = store;
    this.#agents = agents;
    this.#clock = clock;
  }

  /** A store that cannot be read now has no counts; the other metrics stay. */
  read(): Promise<readonly Reading[]> {
    const now = this.#clock.now();
    if (!this.#counted || now - this.#countedAt >= HOLDS_FOR) {
      this.#countedAt = now;
      this.#counted = this.#count().catch(() => []);
    }
    return this.#counted;
  }

  async #count(): Promise<readonly Reading[]> {
    const readings: Reading[] = [];
    for (const agent of this.#agents) {
      for (const state of TASK_STATES) readings.push(await this.#countOf(agent, state));
    }
    return readings;
  }

  async #countOf(agent: string, state: TaskState): Promise<Reading> {
    const { total } = await this.#store.list({ agent, state, limit: 1 });
    return { labels: { agent, state }, value: total };
  }
}

interface DelayHistogram {
  readonly mean: number;
  readonly max: number;
  percentile(percent: number): number;
  reset(): void;
  enable(): boolean;
  disable(): boolean;
}

interface Surroundings {
  readonly process?: {
    getBuiltinModule?(
      name: 'node:perf_hooks',
    ): { monitorEventLoopDelay?(options: { resolution: number }): DelayHistogram } | undefined;
  };
}

/** Milliseconds between two looks at the delay; each value that is measured holds it. */
const RESOLUTION = 10;
const NANOSECONDS = 1e9;

/** The delay of the event loop since it was last read. Only Node has one. */
export class LoopDelay {
  readonly #histogram: DelayHistogram | undefined;

  constructor() {
    const hooks = (globalThis as Surroundings).process?.getBuiltinModule?.('node:perf_hooks');
    this.#histogram = hooks?.monitorEventLoopDelay?.({ resolution: RESOLUTION });
    this.#histogram?.enable();
  }

  readonly read = (): readonly Reading[] => {
    const histogram = this.#histogram;
    if (!histogram) return [];
    const { mean, max } = histogram;
    const stats = { mean, p99: histogram.percentile(99), max };
    histogram.reset();
    return Object.entries(stats).map(([stat, value]) => ({ labels: { stat }, value: secondsOf(value) }));
  };

  close(): void {
    this.#histogram?.disable();
  }
}

function secondsOf(nanoseconds: number): number {
  // Nothing has been measured yet.
  if (!(nanoseconds > 0) || nanoseconds > Number.MAX_SAFE_INTEGER) return 0;
  return Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION / 1000);
}
