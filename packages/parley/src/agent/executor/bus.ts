/** Callbacks of the bus to its turn. */
interface BusOwner {
  publish(event: unknown): void;
  finished(): void;
}

type Listener = (event?: unknown) => void;
type EventName = 'event' | 'finished';

interface Entry {
  readonly name: EventName;
  readonly listener: Listener;
  readonly isOnce: boolean;
}

/** The event bus that an executor is given. It takes what is published; executors and their wrappers may listen, too. */
export class ExecutorBus {
  readonly #owner: BusOwner;
  #entries: readonly Entry[] = [];

  constructor(owner: BusOwner) {
    this.#owner = owner;
  }

  publish(event: unknown): void {
    this.#owner.publish(event);
    this.#tell('event', event);
  }

  finished(): void {
    this.#owner.finished();
    this.#tell('finished');
  }

  on(name: EventName, listener: Listener): this {
    this.#entries = [...this.#entries, { name, listener, isOnce: false }];
    return this;
  }

  once(name: EventName, listener: Listener): this {
    this.#entries = [...this.#entries, { name, listener, isOnce: true }];
    return this;
  }

  off(name: EventName, listener: Listener): this {
    this.#entries = this.#entries.filter((entry) => entry.name !== name || entry.listener !== listener);
    return this;
  }

  removeAllListeners(name?: EventName): this {
    this.#entries = name === undefined ? [] : this.#entries.filter((entry) => entry.name !== name);
    return this;
  }

  #tell(name: EventName, event?: unknown): void {
    for (const entry of this.#entries) {
      if (entry.name !== name) continue;
      if (entry.isOnce) this.off(name, entry.listener);
      entry.listener(event);
    }
  }
}
