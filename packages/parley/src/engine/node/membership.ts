import { type EngineLimits, requireLongerLease } from '../limits.ts';
import { BriefAttempts, type CommitAttempts } from '../log/commit-attempts.ts';
import { LastingAttempts } from '../log/lasting-attempts.ts';
import type { Bus, Clock, Logger, Store } from '../ports.ts';
import { inTime } from './in-time.ts';
import { NodeLease, type NodeLeaseOptions } from './node-lease.ts';
import { patientStore } from './patient-store.ts';
import { ENDLESS_TENURE, type Tenure } from './tenure.ts';

export interface MembershipOptions extends Pick<NodeLeaseOptions, 'reclaim' | 'cut'> {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly log: Logger;
  /** The name of this node. */
  readonly node: () => string;
}

/** A node among those that share a store: its lease, its place on the bus, and the store as it meets it. */
export class Membership {
  /** The store; one that nodes share has bounded time to respond. */
  readonly store: Store;
  readonly tenure: Tenure;
  readonly #options: MembershipOptions;
  /** Undefined where no other node uses the store. */
  readonly #lease: NodeLease | undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
    const { store, clock, limits, log } = options;
    if (store.exclusive) {
      this.store = store;
      this.tenure = ENDLESS_TENURE;
      return;
    }
    requireLongerLease(limits);
    const lease = new NodeLease(options);
    this.#lease = lease;
    this.tenure = lease;
    this.store = patientStore(store, { clock, log, patience: limits.storeTimeout, judgedAt: () => lease.judgedAt });
  }

  /** The reason why this node cannot rely on its leases, for operators. */
  get problem(): string | undefined {
    return this.#lease?.problem;
  }

  /** The way of commits to the store, and the milliseconds that callers wait for them. */
  attempts(commit: Store['commit']): { readonly attempts: CommitAttempts; readonly patience?: number } {
    const { clock, log, limits, store } = this.#options;
    if (store.exclusive) return { attempts: new BriefAttempts({ commit }, clock, log) };
    const patience = limits.storeTimeout;
    const { store: patient, tenure } = this;
    return { attempts: new LastingAttempts({ commit, store: patient, clock, log, tenure, patience }), patience };
  }

  /** Tells the others that this node is there; `handle` carries out their commands. */
  async join(handle: (command: unknown) => Promise<unknown>): Promise<void> {
    const { bus, clock, limits, log, node } = this.#options;
    const late = () => new Error(`The bus did not respond within ${limits.commandTimeout} ms`);
    await inTime(clock, limits.commandTimeout, bus.join(node(), handle, log), late);
    await this.#lease?.start();
  }

  /** Lets other nodes take over. A bus or a store that is down must not keep the server from closing. */
  async leave(): Promise<void> {
    const { bus, clock, limits, log, node } = this.#options;
    const late = () => new Error(`There was no response within ${limits.commandTimeout} ms`);
    for (const step of [() => this.#lease?.end(), () => bus.leave(node())]) {
      try {
        await inTime(clock, limits.commandTimeout, step(), late);
      } catch (error) {
        log.warn('The other nodes could not be told that this one is gone', { error });
      }
    }
  }
}
