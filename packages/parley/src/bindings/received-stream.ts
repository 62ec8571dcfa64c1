import type { ReceivedEvent } from './caller.ts';
import type { SseFrame } from './sse-reader.ts';

/** What a frame turns out to be; undefined for one that is cut off. */
export type ReadFrame = (frame: SseFrame) => ReceivedEvent | undefined;

/** The events of a stream of frames. It ends at an event that is the last by its own word, and is closed by any error. */
export class ReceivedStream implements AsyncIterableIterator<ReceivedEvent> {
  readonly #frames: AsyncIterator<SseFrame>;
  readonly #read: ReadFrame;
  #ended = false;

  constructor(frames: AsyncIterator<SseFrame>, read: ReadFrame) {
    this.#frames = frames;
    this.#read = read;
  }

  async next(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    if (this.#ended) return ENDED;
    const { done, value: frame } = await this.#frames.next();
    if (done) return ENDED;
    let received: ReceivedEvent | undefined;
    try {
      received = this.#read(frame);
    } catch (error) {
      await this.return();
      throw error;
    }
    if (received === undefined || received.final) await this.return();
    return received === undefined ? ENDED : { done: false, value: { ...received, size: frame.data.length } };
  }

  async return(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    this.#ended = true;
    await this.#frames.return?.();
    return ENDED;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const ENDED = { done: true, value: undefined } as const;

/** A stream of what is known already. */
export async function* eventsOf(...events: readonly ReceivedEvent[]): AsyncGenerator<ReceivedEvent, undefined> {
  yield* events;
  return undefined;
}
