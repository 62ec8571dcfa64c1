import type { ClientInterceptor, ReceivedEvent } from '../../client/options.ts';
import type { TaskStreamEvent } from '../../client/stream/task-stream.ts';
import type { StreamEvent } from '../../model/task.ts';

type Received = AsyncIterator<ReceivedEvent>;

/** Remembers which position of its stream an event had, for `--from`. */
export class Positions {
  /** By what an event brings, which stays the same object on its way through the client. */
  readonly #ids = new WeakMap<object, string>();

  /** Goes around the calls of a client. */
  readonly interceptor: ClientInterceptor = async (call, next) => {
    const result = await next(call);
    return isStream(result) ? this.#tapped(result[Symbol.asyncIterator]()) : result;
  };

  /** The event as one JSON object, with its position where it has one. */
  withPosition(given: TaskStreamEvent): object {
    const { text: _, ...event } = given;
    const id = this.#ids.get(contentOf(event));
    return id === undefined ? event : { seq: /^\d+$/.test(id) ? Number(id) : id, ...event };
  }

  #tapped(inner: Received): AsyncIterableIterator<ReceivedEvent> {
    const iterator: AsyncIterableIterator<ReceivedEvent> = {
      next: async () => {
        const step = await inner.next();
        if (!step.done && step.value.id !== undefined) this.#ids.set(contentOf(step.value.event), step.value.id);
        return step;
      },
      // Not a generator: leaving must not wait for the next event.
      return: async () => {
        await inner.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }
}

function contentOf(event: StreamEvent): object {
  switch (event.kind) {
    case 'task':
      return event.task;
    case 'message':
      return event.message;
    case 'status':
      return event.status;
    case 'artifact':
      return event.artifact;
  }
}

function isStream(result: unknown): result is AsyncIterable<ReceivedEvent> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
