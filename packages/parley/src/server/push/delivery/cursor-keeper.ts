import type { Clock, CursorRecord, PushConfigRecord, Store } from '../../../engine/ports.ts';
import { cursorOf, type DeliveryState } from './delivery-state.ts';

export interface CursorKeeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The name of this node. */
  readonly node: () => string;
  readonly record: PushConfigRecord;
  readonly revision: string;
  readonly cursor: CursorRecord | undefined;
  /** Another node has taken over, or the task is gone. */
  readonly onLost: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Writes how the deliveries to one webhook stand, under a lease: of the nodes that share a store, one delivers. Nothing
 * waits for a write; while one is under way, the states that follow become one.
 */
export class CursorKeeper {
  readonly #options: CursorKeeperOptions;
  #lease: number;
  #holder: string | null;
  #next: DeliveryState | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: CursorKeeperOptions) {
    this.#options = options;
    this.#lease = options.cursor?.lease.number ?? 0;
    this.#holder = options.cursor?.lease.node ?? null;
  }

  /** Takes the right to deliver. On a store that no other node uses it is taken with the first write. */
  async take(state: DeliveryState): Promise<boolean> {
    const { store, clock, node } = this.#options;
    if (store.exclusive) return true;
    if (this.#holder === node()) return this.#isHeld();
    if (this.#holder !== null && (await store.isAlive(this.#holder, clock.now()))) return false;
    return this.#write(state, node());
  }

  /** Another node may have taken this one for dead, and the right with it. */
  async #isHeld(): Promise<boolean> {
    const { store, record, node } = this.#options;
    const lease = (await store.cursor(record.taskId, record.id))?.lease;
    return lease?.number === this.#lease && lease.node === node();
  }

  save(state: DeliveryState): void {
    this.#next = state;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Lets another node deliver at once. */
  async release(state: DeliveryState): Promise<void> {
    await this.settled();
    const { store, node } = this.#options;
    if (!store.exclusive && this.#holder === node()) await this.#write(state, null);
  }

  async #writeAll(): Promise<void> {
    const { node, onLost, onError } = this.#options;
    while (this.#next) {
      const state = this.#next;
      this.#next = undefined;
      try {
        if (!(await this.#write(state, node()))) onLost();
      } catch (error) {
        // After a crash an unwritten delivery is repeated; the next state is written anyway.
        onError(error);
      }
    }
  }

  async #write(state: DeliveryState, holder: string | null): Promise<boolean> {
    const { store, record, revision } = this.#options;
    const number = this.#holder === holder || holder === null ? Math.max(this.#lease, 1) : this.#lease + 1;
    const cursor = cursorOf(record, revision, state, { number, node: holder });
    const isOurs = await store.setCursor(cursor, this.#lease);
    if (isOurs) {
      this.#lease = number;
      this.#holder = holder;
    }
    return isOurs;
  }
}
