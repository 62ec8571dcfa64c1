import type { ReceivedEvent } from '../../bindings/caller.ts';

/** No more events, or characters of them, than this are read ahead; the server has to wait then. */
const MOST_AHEAD = 1_000;
export const LARGEST_AHEAD = 2 ** 23;

/** Reads a stream ahead, so that one can look at what has come without waiting for what comes next. */
export class Tap {
  readonly #iterator: AsyncIterator<ReceivedEvent>;
  readonly #events: ReceivedEvent[] = [];
  #held = 0;
  #isClosed = false;
  #wake: (() => void) | undefined;
  /** Throws what broke the stream, where something did. */
  fail: (() => never) | undefined;
  /** Nothing more comes. */
  ended = false;

  constructor(iterator: AsyncIterator<ReceivedEvent>) {
    this.#iterator = iterator;
    void this.#pump();
  }

  /** The number of events that wait to be taken. */
  get size(): number {
    return this.#events.length;
  }

  take(count: number): readonly ReceivedEvent[] {
    const taken = this.#events.splice(0, count);
    for (const { size = 0 } of taken) this.#held -= size;
    this.#wake?.();
    return taken;
  }

  /** Resolves when there is at least one event, or the stream has ended. */
  async ready(): Promise<void> {
    while (this.size === 0 && !this.ended) await this.#change();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake?.();
    await this.#iterator.return?.();
  }

  /** Only one waits at a time: the reader for an event, or the pump for room. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #pump(): Promise<void> {
    try {
      for (let step = await this.#iterator.next(); !step.done; step = await this.#iterator.next()) {
        this.#events.push(step.value);
        this.#held += step.value.size ?? 0;
        this.#wake?.();
        while ((this.size >= MOST_AHEAD || this.#held >= LARGEST_AHEAD) && !this.#isClosed) await this.#change();
      }
    } catch (error) {
      this.fail = () => {
        throw error;
      };
    }
    this.ended = true;
    this.#wake?.();
  }
}
