import { ENDED, type ReceivedEvent } from '../caller.ts';
import type { SseFrame } from './reader.ts';

/** The events of a frame, mostly one; undefined for a frame that is cut off or that ends the stream. */
export type ReadFrame = (frame: SseFrame) => readonly ReceivedEvent[] | undefined;

/** The events of a stream of frames. It ends at an event that is the last by its own word, and is closed by any error. */
export function receivedStream(
  frames: AsyncIterator<SseFrame>,
  read: ReadFrame,
): AsyncIterableIterator<ReceivedEvent, undefined> {
  /** Those of the last frame that were not taken yet. */
  let waiting: ReceivedEvent[] = [];
  let hasEnded = false;
  const end = async () => {
    hasEnded = true;
    await frames.return?.();
    return ENDED;
  };
  const stream: AsyncIterableIterator<ReceivedEvent, undefined> = {
    async next() {
      for (;;) {
        const event = waiting.shift();
        if (event) return { done: false, value: event };
        if (hasEnded) return ENDED;
        const { done, value: frame } = await frames.next();
        if (done) return ENDED;
        try {
          const received = read(frame);
          const { length: size } = frame.data;
          const about = frame.complete ? { size } : { size, isCut: true };
          waiting = (received ?? []).map((one) => ({ ...one, ...about }));
          if (!received?.every(({ final }) => !final)) await end();
        } catch (error) {
          await end();
          throw error;
        }
      }
    },
    return() {
      waiting = [];
      return end();
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}

/** A stream of what is known already. */
export async function* eventsOf(...events: readonly ReceivedEvent[]): AsyncGenerator<ReceivedEvent, undefined> {
  yield* events;
  return undefined;
}
