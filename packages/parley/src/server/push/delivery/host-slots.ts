import type { PushConcurrency } from '../settings.ts';

/** Ends a request; `isAnswered`: the host has said something, whatever it was. */
export type ReleaseSlot = (isAnswered: boolean) => void;

/** The requests to one host. */
interface Lane {
  active: number;
  readonly waiting: Set<(release: ReleaseSlot) => void>;
}

/** The most silent hosts known; of more, the oldest are forgotten. */
const MOST_SILENT = 10_000;

/**
 * Bounds how many requests are under way, to one host and in all. Hosts take turns: one with many webhooks does not keep
 * the others waiting. Hosts that gave no answer the last time share half of the places, so that any number of dead ones
 * leaves room for those that answer.
 */
export class HostSlots {
  readonly #limits: PushConcurrency;
  readonly #mostSilent: number;
  readonly #lanes = new Map<string, Lane>();
  /** Hosts that have something to send and a place left, in their turn. */
  readonly #ready = new Set<string>();
  readonly #readySilent = new Set<string>();
  readonly #silent = new Set<string>();
  #active = 0;
  #activeSilent = 0;

  constructor(limits: PushConcurrency) {
    this.#limits = limits;
    this.#mostSilent = Math.max(1, Math.floor(limits.total / 2));
  }

  /** Resolves once a request to the host may begin. What it resolves with must be called when that is over. */
  take(host: string): Promise<ReleaseSlot> {
    let lane = this.#lanes.get(host);
    if (!lane) {
      lane = { active: 0, waiting: new Set() };
      this.#lanes.set(host, lane);
    }
    const { waiting } = lane;
    return new Promise<ReleaseSlot>((resolve) => {
      waiting.add(resolve);
      this.#offer(host, lane);
      this.#grant();
    });
  }

  #release(host: string, lane: Lane, wasSilent: boolean, isAnswered: boolean): void {
    lane.active -= 1;
    this.#active -= 1;
    if (wasSilent) this.#activeSilent -= 1;
    this.#note(host, isAnswered);
    this.#offer(host, lane);
    if (lane.active === 0 && lane.waiting.size === 0) this.#lanes.delete(host);
    this.#grant();
  }

  #note(host: string, isAnswered: boolean): void {
    this.#silent.delete(host);
    if (isAnswered) return;
    this.#silent.add(host);
    const [oldest] = this.#silent;
    if (oldest !== undefined && this.#silent.size > MOST_SILENT) this.#silent.delete(oldest);
  }

  #offer(host: string, { active, waiting }: Lane): void {
    this.#ready.delete(host);
    this.#readySilent.delete(host);
    if (waiting.size === 0 || active >= this.#limits.perHost) return;
    (this.#silent.has(host) ? this.#readySilent : this.#ready).add(host);
  }

  #grant(): void {
    while (this.#active < this.#limits.total) {
      const [answering] = this.#ready;
      const [silent] = this.#activeSilent < this.#mostSilent ? this.#readySilent : [];
      const host = answering ?? silent;
      const lane = host === undefined ? undefined : this.#lanes.get(host);
      const [begin] = lane?.waiting ?? [];
      if (host === undefined || !lane || !begin) return;
      const isSilent = host !== answering;
      lane.waiting.delete(begin);
      lane.active += 1;
      this.#active += 1;
      if (isSilent) this.#activeSilent += 1;
      this.#offer(host, lane);
      begin((isAnswered) => this.#release(host, lane, isSilent, isAnswered));
    }
  }
}
