import type { Store } from '../../engine/ports.ts';
import type { OpenStore, StorePlace } from './open-store.ts';
import { within, withPatience } from './patience.ts';
import type { StoreTestBed } from './runner.ts';

/** The store of one test. */
export class OneStoreBed implements StoreTestBed {
  now = 0;
  readonly #patience: number;
  #made: Store | undefined;
  #place: StorePlace | undefined;
  #isOpen = false;

  constructor(patience: number) {
    this.#patience = patience;
  }

  get store(): Store {
    if (!this.#made) throw new Error('The contract has a store only while one of its tests runs');
    return this.#made;
  }

  get canReopen(): boolean {
    return this.#place !== undefined;
  }

  async make(openStore: OpenStore): Promise<void> {
    const opening = async () => openStore(() => this.now);
    const made = await this.#wait(opening(), '`openStore`, which was handed to the contract,');
    this.#place = isPlace(made) ? made : undefined;
    this.#use(isPlace(made) ? made.store : made);
  }

  async open(): Promise<void> {
    this.#isOpen = true;
    await this.store.open();
  }

  async reopen(): Promise<void> {
    const place = this.#place;
    if (!place) throw new Error('The contract was not told how to open the place of this store again');
    await this.#closeStore();
    const opening = async () => place.reopen();
    this.#use(await this.#wait(opening(), '`reopen` of the place'));
    await this.open();
  }

  /** Closes the store that is open, and removes its place whatever comes of that. */
  async close(): Promise<void> {
    try {
      await this.#closeStore();
    } finally {
      const closing = async () => this.#place?.close?.();
      await this.#wait(closing(), '`close` of the place');
    }
  }

  /** Not twice: a store that could not be closed, or opened again, may refuse that. */
  async #closeStore(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.store.close();
  }

  #use(store: Store): void {
    this.#made = withPatience(store, (promise, method) => this.#wait(promise, `\`${method}\` of the store`));
  }

  #wait<Value>(promise: PromiseLike<Value>, what: string): Promise<Value> {
    return within(promise, this.#patience, `${what} has not settled after ${this.#patience} ms`);
  }
}

function isPlace(made: Store | StorePlace): made is StorePlace {
  return 'store' in made;
}
