import type { ReceivedEvent } from '../caller.ts';
import type { SseFrame } from './reader.ts';

/** The events of a frame, mostly one; undefined for a frame that is cut off or that ends the stream. */
export type ReadFrame = (frame: SseFrame) => readonly ReceivedEvent[] | undefined;

/** The events of a stream of frames. It ends at an event that is the last by its own word, and is closed by any error. */
export class ReceivedStream implements AsyncIterableIterator<ReceivedEvent> {
  readonly #frames: AsyncIterator<SseFrame>;
  readonly #read: ReadFrame;
  /** Those of the last frame that were not taken yet. */
  #waiting: readonly ReceivedEvent[] = [];
  #ended = false;

  constructor(frames: AsyncIterator<SseFrame>, read: ReadFrame) {
    this.#frames = frames;
    this.#read = read;
  }

  async next(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    for (;;) {
      const [next, ...others] = this.#waiting;
      this.#waiting = others;
      if (next) return { done: false, value: next };
      if (this.#ended) return ENDED;
      const { done, value: frame } = await this.#frames.next();
      if (done) return ENDED;
      await this.#take(frame);
    }
  }

  async return(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    this.#waiting = [];
    await this.#end();
    return ENDED;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #take(frame: SseFrame): Promise<void> {
    let received: readonly ReceivedEvent[] | undefined;
    try {
      received = this.#read(frame);
    } catch (error) {
      await this.return();
      throw error;
    }
    const size = frame.data.length;
    const about = frame.complete ? { size } : { size, isCut: true };
    this.#waiting = (received ?? []).map((event) => ({ ...event, ...about }));
    if (received === undefined || received.some(({ final }) => final)) await this.#end();
  }

  async #end(): Promise<void> {
    this.#ended = true;
    await this.#frames.return?.();
  }
}

const ENDED = { done: true, value: undefined } as const;

/** A stream of what is known already. */
export async function* eventsOf(...events: readonly ReceivedEvent[]): AsyncGenerator<ReceivedEvent, undefined> {
  yield* events;
  return undefined;
}
