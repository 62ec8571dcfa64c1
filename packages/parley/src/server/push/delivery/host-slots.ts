import type { PushConcurrency } from '../settings.ts';

/** The requests to one host. */
interface Lane {
  active: number;
  readonly waiting: Set<() => void>;
}

/**
 * Bounds how many requests are under way, to one host and in all. Hosts take turns: one with many webhooks does not keep
 * the others waiting, and one that hangs holds no more than its own share.
 */
export class HostSlots {
  readonly #limits: PushConcurrency;
  readonly #lanes = new Map<string, Lane>();
  /** Hosts that have something to send and a place left, in their turn. */
  readonly #ready = new Set<string>();
  #active = 0;

  constructor(limits: PushConcurrency) {
    this.#limits = limits;
  }

  /** Resolves once a request to the host may begin. `give` must be called when it is over. */
  take(host: string): Promise<void> {
    let lane = this.#lanes.get(host);
    if (!lane) {
      lane = { active: 0, waiting: new Set() };
      this.#lanes.set(host, lane);
    }
    const { waiting } = lane;
    return new Promise<void>((resolve) => {
      waiting.add(resolve);
      this.#offer(host, lane);
      this.#grant();
    });
  }

  give(host: string): void {
    const lane = this.#lanes.get(host);
    if (!lane) return;
    lane.active -= 1;
    this.#active -= 1;
    this.#offer(host, lane);
    if (lane.active === 0 && lane.waiting.size === 0) this.#lanes.delete(host);
    this.#grant();
  }

  #offer(host: string, { active, waiting }: Lane): void {
    if (waiting.size > 0 && active < this.#limits.perHost) this.#ready.add(host);
  }

  #grant(): void {
    while (this.#active < this.#limits.total) {
      const [host] = this.#ready;
      if (host === undefined) return;
      this.#ready.delete(host);
      const lane = this.#lanes.get(host);
      const [begin] = lane?.waiting ?? [];
      if (!lane || !begin) continue;
      lane.waiting.delete(begin);
      lane.active += 1;
      this.#active += 1;
      this.#offer(host, lane);
      begin();
    }
  }
}
