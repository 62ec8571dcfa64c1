import { ENDED, type ReceivedEvent } from '../../bindings/caller.ts';
import { eventsOf } from '../../bindings/sse/events-of.ts';
import type { Received } from '../stream/stream-source.ts';
import type { Linked } from './signals.ts';

/** The stream of a call, or what an interceptor returned in its place. Releases its signals at the end; leaving it ends the request. */
export function releasedStream(stream: unknown, { abort, release }: Omit<Linked, 'signal'>): Received {
  const inner = iteratorOf(stream);
  const iterator: Received = {
    async next() {
      try {
        const step = await inner.next();
        if (step.done) release();
        return step;
      } catch (error) {
        release();
        throw error;
      }
    },
    async return() {
      // A stream that an interceptor made may hear of it only with its next event: the client does not wait for that.
      inner.return?.()?.catch(() => {});
      abort();
      release();
      return ENDED;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

function iteratorOf(stream: unknown): AsyncIterator<ReceivedEvent> {
  if (Array.isArray(stream)) return eventsOf(...stream);
  if (typeof stream === 'object' && stream !== null && Symbol.asyncIterator in stream) {
    return (stream as AsyncIterable<ReceivedEvent>)[Symbol.asyncIterator]();
  }
  throw new TypeError('An interceptor must give a stream or a list');
}
