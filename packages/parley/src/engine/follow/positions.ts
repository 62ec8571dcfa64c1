import type { Awaitable, Clock, CursorFacet, NodeFacet } from '../ports.ts';

/** The position of a follower, and the right of this node to go on from there. */
export interface TakenPosition {
  readonly seq: number;
  /** False while another node, which is alive, follows under the same name. */
  readonly isOurs: boolean;
}

/** Keeps the position of one follower of one task. */
export interface PositionKeeper {
  /** Takes the right to follow, unless another node has it. */
  take(): Awaitable<TakenPosition>;
  /** Records how far the follower has come. Returns false, and records nothing, if another node has taken over. */
  save(seq: number): Awaitable<boolean>;
  /** Gives the right back, so that another node need not wait until this one counts as dead. */
  release(): Awaitable<void>;
}

/** A position that ends with the process. */
export function positionInMemory(start: number): PositionKeeper {
  let position = start;
  return {
    take: () => ({ seq: position, isOurs: true }),
    save: (seq) => {
      position = seq;
      return true;
    },
    release: () => {},
  };
}

export interface StoredPositionOptions {
  readonly store: CursorFacet & NodeFacet;
  readonly clock: Clock;
  /** The name of this node. */
  readonly node: string;
  readonly taskId: string;
  readonly follower: string;
  /** The position of a follower that has none yet. */
  readonly start: number;
}

/** A position that outlives the process, under a lease: of the nodes that share the store, one follows. */
export class StoredPosition implements PositionKeeper {
  readonly #options: StoredPositionOptions;
  /** The position and the lease number as this node has written them; undefined while it does not hold the lease. */
  #held: { readonly seq: number; readonly lease: number } | undefined;

  constructor(options: StoredPositionOptions) {
    this.#options = options;
  }

  async take(): Promise<TakenPosition> {
    const { store, clock, node, taskId, follower, start } = this.#options;
    const record = await store.cursor(taskId, follower);
    const seq = record?.seq ?? start;
    const holder = record?.lease.node ?? null;
    if (holder !== null && holder !== node && (await store.isAlive(holder, clock.now()))) return { seq, isOurs: false };
    return { seq, isOurs: await this.#write(seq, record?.lease.number ?? 0, 1) };
  }

  async save(seq: number): Promise<boolean> {
    return this.#held !== undefined && this.#write(seq, this.#held.lease, 0);
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    const { store, taskId, follower } = this.#options;
    await store.setCursor({ taskId, follower, seq: held.seq, lease: { number: held.lease, node: null } }, held.lease);
  }

  async #write(seq: number, expected: number, step: 0 | 1): Promise<boolean> {
    const { store, node, taskId, follower } = this.#options;
    const lease = expected + step;
    const isOurs = await store.setCursor({ taskId, follower, seq, lease: { number: lease, node } }, expected);
    this.#held = isOurs ? { seq, lease } : undefined;
    return isOurs;
  }
}
