import type { ExchangeResponse } from '../../bindings/exchange.ts';
import type { Clock, Logger, Store } from '../../engine/ports.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { httpErrorOf } from './responses.ts';

/** Milliseconds for which the result of one look holds: probes may come from anybody, and each costs a write. */
const HOLDS_FOR = 1000;

/** Milliseconds after which a disk that does not respond counts as one that cannot be written. */
const PATIENCE = 5000;

export interface ReadinessOptions {
  readonly store: Pick<Store, 'probe'>;
  /** A commit has failed lately. */
  readonly isFailing: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tells whether the server could serve: not on a disk that is full or read-only. */
export class Readiness {
  readonly #options: ReadinessOptions;
  #look: Promise<boolean> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  async respond(): Promise<ExchangeResponse> {
    if (await this.#isReady()) return READY;
    return httpErrorOf(new A2AError('UNAVAILABLE', 'The store cannot be written'));
  }

  #isReady(): Promise<boolean> | boolean {
    const { store, clock, isFailing } = this.#options;
    // A file may have room for what a probe writes, and for nothing more.
    if (isFailing()) return false;
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

const READY: ExchangeResponse = {
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: '{"status":"ok"}',
};
