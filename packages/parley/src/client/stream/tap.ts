import type { ReceivedEvent } from '../../bindings/caller.ts';

/** No more events, or characters of them, than this are read ahead; the server has to wait then. */
const MOST_AHEAD = 1_000;
const LARGEST_AHEAD = 2 ** 23;

/** Reads a stream ahead, so that one can look at what has come without waiting for what comes next. */
export class Tap {
  readonly #iterator: AsyncIterator<ReceivedEvent>;
  readonly #events: ReceivedEvent[] = [];
  #held = 0;
  #ended = false;
  #isClosed = false;
  #error: unknown;
  #wake: (() => void) | undefined;
  #room: (() => void) | undefined;

  constructor(iterator: AsyncIterator<ReceivedEvent>) {
    this.#iterator = iterator;
    void this.#pump();
  }

  /** How many events wait to be taken. */
  get size(): number {
    return this.#events.length;
  }

  get ended(): boolean {
    return this.#ended;
  }

  take(count: number): readonly ReceivedEvent[] {
    const taken = this.#events.splice(0, count);
    for (const { size } of taken) this.#held -= size ?? 0;
    this.#room?.();
    return taken;
  }

  /** Resolves when there is at least one event, or the stream has ended. */
  async ready(): Promise<void> {
    while (this.#events.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  throwIfBroken(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#room?.();
    await this.#iterator.return?.();
  }

  async #pump(): Promise<void> {
    try {
      for (let step = await this.#iterator.next(); !step.done; step = await this.#iterator.next()) {
        this.#events.push(step.value);
        this.#held += step.value.size ?? 0;
        this.#wake?.();
        while ((this.#events.length >= MOST_AHEAD || this.#held >= LARGEST_AHEAD) && !this.#isClosed) {
          await new Promise<void>((resolve) => {
            this.#room = resolve;
          });
        }
      }
    } catch (error) {
      this.#error = error ?? new Error('The stream broke');
    }
    this.#ended = true;
    this.#wake?.();
  }
}
