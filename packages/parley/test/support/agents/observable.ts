import type { ObservableLike, ObserverLike } from 'parley-a2a/types';

type Teardown = (() => void) | undefined | void;

/** An observable as a library has them, no more than tests need: cold, and stopped by `unsubscribe`. */
export class TestObservable<Value> implements ObservableLike<Value> {
  readonly #start: (observer: ObserverLike<Value>) => Teardown;

  constructor(start: (observer: ObserverLike<Value>) => Teardown) {
    this.#start = start;
  }

  static of<Value>(...values: readonly Value[]): TestObservable<Value> {
    return new TestObservable((observer) => {
      for (const value of values) observer.next(value);
      observer.complete();
    });
  }

  subscribe(observer: ObserverLike<Value>): { unsubscribe(): void } {
    let isOver = false;
    const ending = (tell: () => void) => {
      if (isOver) return;
      isOver = true;
      tell();
    };
    const teardown = this.#start({
      next: (value) => !isOver && observer.next(value),
      error: (error) => ending(() => observer.error(error)),
      complete: () => ending(() => observer.complete()),
    });
    return {
      unsubscribe() {
        isOver = true;
        teardown?.();
      },
    };
  }
}
