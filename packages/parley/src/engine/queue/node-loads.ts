import type { Bus, Clock, Logger, QueueFacet } from '../ports.ts';
import { isWorker } from './node-role.ts';

/** The bus carries notices of this id; their seq is the number of tasks that a node has at work, plus one. */
export const LOAD_NOTICE = 'parley-load';

/** Fewer tasks at work than this are not worth the way through the store. */
const FEW = 8;
/** A node has more to do than another at this multiple of its tasks. */
const MUCH_MORE = 2;
/** Milliseconds between two notices of a node. */
const TOLD_EVERY = 250;
/** Milliseconds after which what another node told is no longer counted on. */
const REMEMBERED = 1500;
/** Milliseconds for which others are not counted on that left turns waiting. */
const DISTRUSTED = 10_000;

export interface NodeLoadsOptions {
  readonly queue: Pick<QueueFacet, 'liveNodes'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /** The name of this node. */
  readonly node: () => string;
  /** The number of tasks that this node has at work. */
  readonly load: () => number;
  /** Another node told how much it has to do. */
  readonly onHeard: () => void;
}

/**
 * Compares what nodes without a limit of runs have to do, so that one that is sent everything does not run everything. A node
 * tells the others when it has some tasks at work, and they respond; where none has, the bus is silent.
 */
export class NodeLoads {
  readonly #options: NodeLoadsOptions;
  #hasOthers = false;
  #least: { readonly load: number; readonly at: number } | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #distrustedUntil = Number.NEGATIVE_INFINITY;
  #unwatch: (() => void) | undefined;

  constructor(options: NodeLoadsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { bus, node, log } = this.#options;
    try {
      this.#unwatch = await bus.watch(node(), LOAD_NOTICE, (told) => this.#heard(told));
    } catch (error) {
      log.warn('The bus does not tell how much other nodes have to do', { error });
    }
    await this.look();
    // So that those that came before know of this one.
    this.tell();
  }

  stop(): void {
    this.#unwatch?.();
  }

  /** Learns whether there are others that run anything. */
  async look(): Promise<void> {
    const { queue, clock, node, log } = this.#options;
    try {
      const nodes = await queue.liveNodes(clock.now());
      this.#hasOthers = nodes.some((name) => name !== node() && isWorker(name));
    } catch (error) {
      log.warn('The other nodes could not be looked up', { error });
    }
  }

  /** Another node has much less to do than this one. One that has told nothing of late is taken to have nothing. */
  get isBusier(): boolean {
    if (!this.#hasOthers) return false;
    const { load, clock } = this.#options;
    const own = load();
    if (own < FEW || clock.now() < this.#distrustedUntil) return false;
    this.tell();
    const heard = this.#least;
    const least = heard && clock.now() - heard.at < REMEMBERED ? heard.load : 0;
    return own > MUCH_MORE * least;
  }

  /** Others have less to do but leave turns waiting: they may not host the agents. */
  distrust(): void {
    this.#distrustedUntil = this.#options.clock.now() + DISTRUSTED;
  }

  tell(): void {
    const { bus, clock, node, load } = this.#options;
    const now = clock.now();
    if (!this.#hasOthers || now - this.#toldAt < TOLD_EVERY) return;
    this.#toldAt = now;
    bus.publish(node(), [{ taskId: LOAD_NOTICE, seq: load() + 1 }]);
  }

  #heard(told: number | undefined): void {
    if (told === undefined) return;
    const now = this.#options.clock.now();
    const load = told - 1;
    const held = this.#least;
    if (!held || load <= held.load || now - held.at >= REMEMBERED) this.#least = { load, at: now };
    this.#hasOthers = true;
    this.tell();
    this.#options.onHeard();
  }
}
