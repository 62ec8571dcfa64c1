import type { ExchangeResponse } from '../../bindings/exchange.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock, Logger, Store } from '../../engine/ports.ts';
import type { Draining } from '../core/draining.ts';
import type { Opening } from '../core/opening.ts';
import { type Check, healthOf, unhealthy } from './health.ts';

/** Milliseconds for which the result of one look holds: any client may probe, and each look costs a write. */
const HOLDS_FOR = 1000;

/** Milliseconds after which a disk that does not respond counts as one that cannot be written. */
const PATIENCE = 5000;

interface ReadinessOptions {
  readonly store: Pick<Store, 'probe'>;
  readonly opening: Pick<Opening, 'isOpen' | 'whenOpen'>;
  readonly draining: Pick<Draining, 'isOn' | 'refusal'>;
  /** Knows whether a commit has failed lately, and why this node of several cannot rely on what it holds. */
  readonly engine: Pick<Engine, 'isStoreFailing' | 'membership' | 'queue'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tells whether the server could serve: not where its disk is full or read-only, and not where it is about to stop. */
export class Readiness {
  readonly #options: ReadinessOptions;
  #look: Promise<boolean> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  async respond(isVerbose: boolean): Promise<ExchangeResponse> {
    const { draining } = this.#options;
    const serving: Check = draining.isOn
      ? { name: 'serving', problem: 'The server is shutting down' }
      : { name: 'serving' };
    // A server that is about to stop is not opened for a probe.
    const store = draining.isOn && !isVerbose ? undefined : await this.#store();
    const lease = this.#options.engine.membership.problem;
    const checks: Check[] = [serving, ...(store ? [store] : []), ...(lease ? [{ name: 'lease', problem: lease }] : [])];
    if (isVerbose && store && !store.problem) checks.push(...(await this.#workers()));
    const failed = checks.find(({ problem }) => problem !== undefined);
    if (!failed) return healthOf('ok', isVerbose ? checks : undefined);
    const { retryAfter } = draining.isOn ? draining.refusal() : {};
    return unhealthy(failed.problem ?? '', { checks: isVerbose ? checks : undefined, retryAfter });
  }

  /** For a front: whether any node is there to run what it takes. */
  async #workers(): Promise<readonly Check[]> {
    const { queue } = this.#options.engine;
    if (!queue?.isFront) return [];
    try {
      const nodes = await queue.nodes();
      if ((nodes.get('all') ?? 0) + (nodes.get('worker') ?? 0) > 0) return [{ name: 'workers' }];
      const { turns } = await queue.state();
      return [{ name: 'workers', note: `No node is alive that runs tasks: ${turns} wait for one` }];
    } catch (error) {
      this.#options.log.warn('A front could not look for nodes that run tasks', { error });
      return [{ name: 'workers', note: 'It is not known whether a node is alive that runs tasks' }];
    }
  }

  async #store(): Promise<Check> {
    const { opening, draining, log } = this.#options;
    try {
      if (!opening.isOpen && !draining.isOn) await opening.whenOpen();
    } catch (error) {
      log.error('A request was refused, because the server could not be opened', { error });
    }
    if (!opening.isOpen) return { name: 'store', problem: 'The server is not ready' };
    return (await this.#isWritable()) ? { name: 'store' } : { name: 'store', problem: 'The store cannot be written' };
  }

  #isWritable(): Promise<boolean> | boolean {
    const { store, clock, engine } = this.#options;
    // A file may have room for what a probe writes, and for nothing more.
    if (engine.isStoreFailing) return false;
    if (!store.probe) return true;
    const now = clock.now();
    if (!this.#look || now - this.#lookedAt >= HOLDS_FOR) {
      this.#lookedAt = now;
      this.#look = this.#canWrite();
    }
    return this.#look;
  }

  async #canWrite(): Promise<boolean> {
    const { store, clock, log } = this.#options;
    let stop = () => {};
    const late = new Promise<never>((_, reject) => {
      stop = clock.after(PATIENCE, () => reject(new Error(`The store did not respond within ${PATIENCE} ms`)));
    });
    try {
      await Promise.race([store.probe?.(), late]);
      return true;
    } catch (error) {
      log.warn('The server is not ready: its store cannot be written', { error });
      return false;
    } finally {
      stop();
    }
  }
}
