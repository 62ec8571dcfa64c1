import type { EngineLimits } from '../limits.ts';
import type { Clock, Logger, Store } from '../ports.ts';
import type { Tasks } from '../task/tasks.ts';
import type { Purges } from './purges.ts';
import { recoverAbandoned, resumeOrFail } from './recovery.ts';
import type { Tenure } from './tenure.ts';

/** Rounds between two sweeps of the store. */
const SWEEP_EVERY = 60;

/** Rounds in which a task is looked for that may be written late. */
const MOST_LOOKS = 20;

export interface UpkeepOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly purges: Purges;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly log: Logger;
  /** The name of this node. */
  readonly node: () => string;
  readonly tenure: Tenure;
}

/** The recurring duties of a node beside its heartbeat: it takes over from dead nodes, and cleans up. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  /**
   * Tasks of this node whose commits failed, and how often they were looked at: they are ended once the store works again. One that
   * is not there may still come, where its commit hangs somewhere.
   */
  readonly #lost = new Map<string, number>();
  #rounds = 0;
  #stop: (() => void) | undefined;
  #stopped = false;
  #takesNothing = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (!this.#takesNothing) await recoverAbandoned(this.#options);
    this.#schedule();
  }

  /** The node is about to stop, or is a front: it takes nothing up. */
  takeNothing(): void {
    this.#takesNothing = true;
  }

  stop(): void {
    this.#stopped = true;
    this.#stop?.();
  }

  /** This node could not commit a task. */
  noteLost(taskId: string): void {
    this.#lost.set(taskId, 0);
  }

  #schedule(): void {
    const { clock, limits, log } = this.#options;
    this.#stop = clock.after(limits.heartbeatInterval, () => {
      this.#round()
        .catch((error: unknown) => log.warn('The upkeep of the task store failed', { error }))
        .finally(() => {
          if (!this.#stopped) this.#schedule();
        });
    });
  }

  async #round(): Promise<void> {
    const { store, tasks, purges, clock, node, tenure } = this.#options;
    // What this node would take up now, others could take from it at once.
    if (this.#takesNothing || !tenure.isGood) return;
    for (const [taskId, looks] of [...this.#lost]) {
      const head = await store.head(taskId);
      if (head?.lease.node === node() && !tasks.isLive(taskId)) await resumeOrFail(tasks, taskId, 'store-failed');
      if (head || store.exclusive || looks === MOST_LOOKS) this.#lost.delete(taskId);
      else this.#lost.set(taskId, looks + 1);
    }
    // On an exclusive store as well: at start it may have been too full to end the tasks of the last process.
    if (tenure.mayTakeOver) await recoverAbandoned(this.#options);
    // Not awaited: it may take long, and tasks of dead nodes must not wait for it.
    purges.tidy();
    if (this.#rounds % SWEEP_EVERY === 0) purges.thin();
    this.#rounds += 1;
    if (this.#rounds % SWEEP_EVERY === 0) await store.sweep(clock.now());
  }
}
