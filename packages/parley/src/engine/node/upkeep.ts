import type { EngineLimits } from '../limits.ts';
import type { Clock, Logger, Store } from '../ports.ts';
import type { Tasks } from '../task/tasks.ts';
import type { Purges } from './purges.ts';
import { recoverAbandoned, resumeOrFail } from './recovery.ts';

/** Rounds between two sweeps of the store. */
const SWEEP_EVERY = 60;

export interface UpkeepOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly purges: Purges;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly log: Logger;
  /** The name of this node. */
  readonly node: () => string;
}

/** The recurring duties of a node: it says that it is alive, takes over from dead nodes, and cleans up. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  /** Tasks of this node whose commits failed; they are ended once the store works again. */
  readonly #lost = new Set<string>();
  #rounds = 0;
  #stop: (() => void) | undefined;
  #stopped = false;
  #onlyBeats = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#beat();
    await recoverAbandoned(this.#options);
    this.#schedule();
  }

  /** The node is about to stop: it is alive as long as its runs go on, but takes nothing up. */
  onlyBeat(): void {
    this.#onlyBeats = true;
  }

  stop(): void {
    this.#stopped = true;
    this.#stop?.();
  }

  /** Tells other nodes that this one no longer lives, so that they need not wait until its heartbeat has run out. */
  async endHeartbeat(): Promise<void> {
    const { store, clock, node } = this.#options;
    if (!store.exclusive) await store.heartbeat(node(), clock.now());
  }

  /** This node could not commit a task. */
  noteLost(taskId: string): void {
    this.#lost.add(taskId);
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
    const { store, tasks, purges, clock, node } = this.#options;
    await this.#beat();
    if (this.#onlyBeats) return;
    for (const taskId of [...this.#lost]) {
      const head = await store.head(taskId);
      if (head?.lease.node === node()) await resumeOrFail(tasks, taskId, 'store-failed');
      this.#lost.delete(taskId);
    }
    // On an exclusive store as well: at start it may have been too full to end the tasks of the last process.
    await recoverAbandoned(this.#options);
    // Not awaited: it may take long, and other nodes must hear that this one is alive.
    purges.tidy();
    this.#rounds += 1;
    if (this.#rounds % SWEEP_EVERY === 0) await store.sweep(clock.now());
  }

  /** No other node reads an exclusive store, so none needs to be told. */
  async #beat(): Promise<void> {
    const { store, clock, limits, node } = this.#options;
    if (!store.exclusive && !this.#stopped) await store.heartbeat(node(), clock.now() + limits.leaseLifetime);
  }
}
