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

/** Lost tasks that are ended at the same time. */
const BATCH = 100;

/** Rounds between two attempts to end the same task, at most. */
const MOST_ROUNDS_BETWEEN = 8;

/** A task of this node whose commit failed. */
interface LostTask {
  /** The number of times that the store did not have it. */
  readonly looks: number;
  /** The number of failed attempts to end it. */
  readonly failures: number;
  /** It is looked at from this round on. */
  readonly round: number;
}

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
  /** Ended once the store works again. One that the store does not have may still come: its commit hangs somewhere. */
  readonly #lost = new Map<string, LostTask>();
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
    this.#lost.set(taskId, { looks: 0, failures: 0, round: 0 });
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
    const { store, purges, clock, tenure } = this.#options;
    // What this node would take up now, others could take from it at once.
    if (this.#takesNothing || !tenure.isGood) return;
    await this.#endLost();
    // On an exclusive store as well: at start it may have been too full to end the tasks of the last process.
    if (tenure.mayTakeOver) await recoverAbandoned(this.#options);
    // Not awaited: it may take long, and tasks of dead nodes must not wait for it.
    purges.tidy();
    if (this.#rounds % SWEEP_EVERY === 0) purges.thin();
    this.#rounds += 1;
    if (this.#rounds % SWEEP_EVERY === 0) await store.sweep(clock.now());
  }

  /** A task that cannot be ended now is tried again, less and less often, and keeps no other from being ended. */
  async #endLost(): Promise<void> {
    const due = [...this.#lost].filter(([, { round }]) => round <= this.#rounds);
    for (let first = 0; first < due.length; first += BATCH) {
      const ending = due.slice(first, first + BATCH).map(([taskId, lost]) => this.#endOne(taskId, lost));
      const failed = (await Promise.allSettled(ending)).filter(({ status }) => status === 'rejected');
      const [example] = failed;
      if (example?.status !== 'rejected') continue;
      const details = { tasks: failed.length, error: example.reason as unknown };
      this.#options.log.warn('Tasks whose commits failed could not be ended; trying again', details);
    }
  }

  async #endOne(taskId: string, lost: LostTask): Promise<void> {
    const { store, tasks, node } = this.#options;
    const failures = lost.failures + 1;
    const tried = { ...lost, failures, round: this.#rounds + Math.min(2 ** (failures - 1), MOST_ROUNDS_BETWEEN) };
    this.#lost.set(taskId, tried);
    const head = await store.head(taskId);
    if (head?.lease.node === node() && !tasks.isLive(taskId)) await resumeOrFail(tasks, taskId, 'store-failed');
    if (this.#lost.get(taskId) !== tried) return;
    if (head || store.exclusive || lost.looks === MOST_LOOKS) this.#lost.delete(taskId);
    else this.#lost.set(taskId, { looks: lost.looks + 1, failures: 0, round: 0 });
  }
}
