import type { EngineLimits } from '../limits.ts';
import { storeUnreachable } from '../log/refusals.ts';
import type { Clock, Logger, NodeFacet } from '../ports.ts';
import { monotonicTime } from './clock.ts';
import { inTime } from './in-time.ts';
import type { Tenure } from './tenure.ts';

/** The part of its lifetime that a node does not rely on: its clock and that of the store may differ in pace. */
const DRIFT = 0.1;

/** Milliseconds between two attempts of a heartbeat that fails. */
const RETRY_EVERY = 500;

export interface NodeLeaseOptions {
  readonly store: NodeFacet;
  readonly clock: Clock;
  readonly limits: Pick<EngineLimits, 'heartbeatInterval' | 'leaseLifetime' | 'storeTimeout'>;
  readonly log: Logger;
  /** The name of this node. */
  readonly node: () => string;
  /** Takes all leases again, each with its next number: others may have begun to take them over. */
  readonly reclaim: () => Promise<void>;
  /** The store could not be reached for longer than the lease: readers are better off at another node. */
  readonly cut: () => void;
}

/**
 * The heartbeat of a node, and until when it is good. That is counted from before the heartbeat was sent, so that this node
 * stops to rely on it before any other counts it as dead; a process that was stopped for a while notices it.
 */
export class NodeLease implements Tenure {
  readonly #options: NodeLeaseOptions;
  /** By the clock that never goes back, and by the other one: a machine that slept may notice by that alone. */
  #goodUntil = Number.NEGATIVE_INFINITY;
  #goodUntilDate = Number.NEGATIVE_INFINITY;
  /** When the latest heartbeat that arrived was sent. */
  #sentAt = Number.NEGATIVE_INFINITY;
  /** When a heartbeat failed, or was too late, last. */
  #failedAt = Number.NEGATIVE_INFINITY;
  /** The store's time and when it was heard, where the store has a clock. */
  #storeTime: { readonly time: number; readonly heardAt: number } | undefined;
  /** The number of times that it ran out, and of those after which all leases were taken again. */
  #lapses = 0;
  #reclaimed = 0;
  #isReclaiming = false;
  #beating: Promise<void> | undefined;
  #waiting: PromiseWithResolvers<void> | undefined;
  #stopTimer: (() => void) | undefined;
  #stopLapse: (() => void) | undefined;
  #stopCut: (() => void) | undefined;
  #isStopped = false;
  /** The log tells of heartbeats that fail. */
  #isNoted = false;

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
  }

  get isGood(): boolean {
    return this.#reclaimed === this.#lapses && this.#isWithin;
  }

  /** After an outage of the store other nodes need a moment, as this one did. */
  get mayTakeOver(): boolean {
    return this.isGood && this.#time - this.#failedAt > this.#options.limits.leaseLifetime;
  }

  /** The reason why it is not good, for operators. */
  get problem(): string | undefined {
    const isFailing = this.#failedAt > this.#sentAt;
    return isFailing || !this.isGood ? 'The store could not be told that this node is alive' : undefined;
  }

  /** The time by which heartbeats are judged, in whole milliseconds: the store's where it has a clock, and never ahead of that. */
  get judgedAt(): number {
    const heard = this.#storeTime;
    return heard ? Math.floor(heard.time + (this.#time - heard.heardAt)) : this.#options.clock.now();
  }

  async whenGood(): Promise<void> {
    if (this.isGood) return;
    const { clock, limits } = this.#options;
    await inTime(clock, limits.storeTimeout, this.renewed(), () => storeUnreachable());
  }

  async renewed(): Promise<void> {
    while (!this.isGood) {
      this.#waiting ??= Promise.withResolvers();
      const { promise } = this.#waiting;
      void this.#beat().catch(() => {});
      await promise;
    }
  }

  hasRenewedSince(time: number): boolean {
    return this.#sentAt > time;
  }

  /** Sends the first heartbeat; rejects if the store does not take it. May be called again after `end`. */
  async start(): Promise<void> {
    this.#isStopped = false;
    await this.#beat();
    this.#schedule(this.#options.limits.heartbeatInterval);
  }

  /** Sends no more heartbeats, and tells other nodes that they need not wait until the last one has run out. */
  async end(): Promise<void> {
    const { store, node } = this.#options;
    this.#isStopped = true;
    for (const stop of [this.#stopTimer, this.#stopLapse, this.#stopCut]) stop?.();
    this.#stopCut = undefined;
    // Other nodes may take everything over from now on.
    this.#goodUntil = Number.NEGATIVE_INFINITY;
    await this.#beating?.catch(() => {});
    await store.heartbeat(node(), this.judgedAt);
  }

  get #time(): number {
    return monotonicTime(this.#options.clock);
  }

  get #isWithin(): boolean {
    return this.#time < this.#goodUntil && this.#options.clock.now() < this.#goodUntilDate;
  }

  #schedule(delay: number): void {
    if (this.#isStopped) return;
    const { clock, limits, log } = this.#options;
    this.#stopTimer = clock.after(delay, () => {
      this.#beat().then(
        () => this.#schedule(limits.heartbeatInterval),
        (error: unknown) => {
          // Once for each outage.
          if (!this.#isStopped && !this.#isNoted)
            log.warn('The store could not be told that this node is alive', { error });
          this.#isNoted = true;
          this.#schedule(Math.min(limits.heartbeatInterval, RETRY_EVERY));
        },
      );
    });
  }

  /** Sends a heartbeat, unless one is on its way. */
  #beat(): Promise<void> {
    this.#beating ??= this.#send().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #send(): Promise<void> {
    const { store, clock, limits, node } = this.#options;
    const sentAt = this.#time;
    const sentOn = clock.now();
    const patience = Math.min(limits.storeTimeout, limits.leaseLifetime / 3);
    const late = () => new Error(`The store did not respond within ${patience} ms`);
    try {
      if (store.time) {
        const time = await inTime(clock, patience, store.time(), late);
        this.#storeTime = { time, heardAt: this.#time };
      }
      const from = this.#storeTime?.time ?? sentOn;
      const sending = store.heartbeat(node(), Math.floor(from) + limits.leaseLifetime);
      await inTime(clock, patience, sending, late);
    } catch (error) {
      this.#failedAt = this.#time;
      throw error;
    }
    this.#arrived(sentAt, sentOn);
  }

  #arrived(sentAt: number, sentOn: number): void {
    const reliable = this.#options.limits.leaseLifetime * (1 - DRIFT);
    // The first heartbeat of a node has nothing to lose.
    if (this.#sentAt !== Number.NEGATIVE_INFINITY && !this.#isWithin) this.#lapses += 1;
    this.#sentAt = sentAt;
    this.#goodUntil = sentAt + reliable;
    this.#goodUntilDate = sentOn + reliable;
    if (!this.#isWithin) {
      this.#failedAt = this.#time;
      throw new Error('The store took longer to note a heartbeat than the heartbeat lasts');
    }
    this.#isNoted = false;
    this.#watchLapse();
    if (this.isGood) this.#release();
    else if (!this.#isReclaiming) void this.#reclaim();
  }

  /** Takes all leases again after a lapse, and once more where another one came meanwhile. */
  async #reclaim(): Promise<void> {
    this.#isReclaiming = true;
    while (this.#reclaimed < this.#lapses && !this.#isStopped) {
      const lapses = this.#lapses;
      await this.#options.reclaim();
      this.#reclaimed = lapses;
    }
    this.#isReclaiming = false;
    if (this.isGood) this.#release();
  }

  #release(): void {
    this.#stopCut?.();
    this.#stopCut = undefined;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }

  #watchLapse(): void {
    this.#stopLapse?.();
    if (this.#isStopped) return;
    this.#stopLapse = this.#options.clock.after(this.#goodUntil - this.#time, this.#lapsed);
  }

  readonly #lapsed = (): void => {
    const { clock, limits, log, cut } = this.#options;
    if (this.#isWithin) {
      this.#watchLapse();
      return;
    }
    this.#failedAt = this.#time;
    log.warn('This node no longer relies on its leases: the store has not heard from it in time', {});
    void this.#beat().catch(() => {});
    this.#stopCut ??= clock.after(limits.storeTimeout, () => {
      this.#stopCut = undefined;
      if (!this.isGood) cut();
    });
  };
}
