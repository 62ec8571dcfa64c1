import { OBSERVABLE_NAME, type ObserverLike, observableKeys } from '../../model/basics/observable.ts';
import type { StreamEvent } from '../../model/task.ts';

export interface EventSubscription {
  /** Leaves the stream at once; when its last reader leaves, the connection is closed. The task itself goes on. */
  unsubscribe(): void;
  readonly closed: boolean;
}

/**
 * A stream's events as an observable: with `subscribe`, and known to RxJS and others by `Symbol.observable`, so that
 * `from(toObservable(stream))` makes one of theirs. It is an async iterable as well.
 */
export interface EventObservable<Event extends StreamEvent = StreamEvent> extends AsyncIterable<Event> {
  subscribe(observer?: Partial<ObserverLike<Event>> | ((event: Event) => void)): EventSubscription;
  readonly [OBSERVABLE_NAME]: () => EventObservable<Event>;
}

/**
 * The events of a stream as an observable. With a function each subscription makes a stream of its own, so that
 * operators such as `retry` and `repeat` send again; with a stream all subscriptions read that one.
 *
 * @example
 * from(toObservable(agent.sendMessageStream('Analyze sales'))).pipe(map(({ text }) => text));
 */
export function toObservable<Event extends StreamEvent>(
  stream: AsyncIterable<Event> | (() => AsyncIterable<Event>),
): EventObservable<Event> {
  const iterate = () => (typeof stream === 'function' ? stream() : stream)[Symbol.asyncIterator]();
  const observable: EventObservable<Event> = {
    subscribe(given) {
      const observer = typeof given === 'function' ? { next: given } : (given ?? {});
      return read(iterate(), observer);
    },
    [OBSERVABLE_NAME]: () => observable,
    [Symbol.asyncIterator]: iterate,
  };
  for (const key of observableKeys()) {
    if (key !== OBSERVABLE_NAME) Object.defineProperty(observable, key, { value: () => observable });
  }
  return observable;
}

function read<Event extends StreamEvent>(
  iterator: AsyncIterator<Event>,
  observer: Partial<ObserverLike<Event>>,
): EventSubscription & { closed: boolean } {
  const subscription = {
    closed: false,
    unsubscribe() {
      if (subscription.closed) return;
      subscription.closed = true;
      iterator.return?.().catch(() => {});
    },
  };
  // An observer's own errors, and one that it does not take, become unhandled rejections.
  const run = async (): Promise<void> => {
    try {
      while (!subscription.closed) {
        const step = await iterator.next().catch((error: unknown) => ({ error }));
        if (subscription.closed) return;
        if ('error' in step) {
          if (!observer.error) throw step.error;
          subscription.closed = true;
          observer.error(step.error);
        } else if (step.done) {
          subscription.closed = true;
          observer.complete?.();
        } else {
          observer.next?.(step.value);
        }
      }
    } finally {
      subscription.unsubscribe();
    }
  };
  void run();
  return subscription;
}
