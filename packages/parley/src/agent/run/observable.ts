import {
  type ObservableLike,
  type ObserverLike,
  type Unsubscribe,
  unsubscribe,
} from '../../model/basics/observable.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { isOutcome } from '../outcomes.ts';

interface ObservedRun {
  readonly signal: AbortSignal;
  /** Takes an output; a promise where nothing more should come before it has settled. */
  readonly emit: (value: unknown) => Promise<void> | undefined;
  /** True for an output that ends the run. */
  readonly isLast: (value: unknown) => boolean;
  /** The number of outputs that may wait. */
  readonly most: number;
}

/**
 * Writes what an observable emits, and gives the outcome that it emitted, if any. An observable cannot be asked to
 * wait: what comes while the store is behind is held, up to a limit.
 */
export function drainObservable(source: ObservableLike<unknown>, run: ObservedRun): Promise<unknown> {
  return new Promise((resolve, reject) => new ObservedOutputs(run, resolve, reject).subscribeTo(source));
}

interface StoppableObservable {
  subscribe(observer: ObserverLike<unknown>, options: { readonly signal: AbortSignal }): Unsubscribe;
}

class ObservedOutputs {
  readonly #run: ObservedRun;
  readonly #resolve: (outcome: unknown) => void;
  readonly #reject: (error: unknown) => void;
  readonly #stop = new AbortController();
  #held: unknown[] = [];
  #isWaiting = false;
  /** Nothing more is taken from the source; what is held is still written. */
  #end: { readonly outcome: unknown } | undefined;
  #isOver = false;
  #subscription: Unsubscribe;
  #isSubscribed = false;

  constructor(run: ObservedRun, resolve: (outcome: unknown) => void, reject: (error: unknown) => void) {
    this.#run = run;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  subscribeTo(source: ObservableLike<unknown>): void {
    const { signal } = this.#run;
    if (signal.aborted) {
      this.#fail(signal.reason);
      return;
    }
    signal.addEventListener('abort', this.#onAbort, { once: true });
    const observer = {
      next: (value: unknown) => this.#next(value),
      error: (error: unknown) => this.#fail(error ?? new Error('The observable failed')),
      complete: () => this.#finish(undefined),
    };
    try {
      // The observables of the web platform are stopped by a signal instead; others do not look at it.
      const stoppable: StoppableObservable = source;
      this.#subscription = stoppable.subscribe(observer, { signal: this.#stop.signal });
      this.#isSubscribed = true;
    } catch (error) {
      this.#fail(error);
    }
    // It may have emitted everything while it was subscribed to.
    if (this.#end || this.#isOver) this.#unsubscribe();
  }

  #next(value: unknown): void {
    if (this.#end || this.#isOver) return;
    if (isOutcome(value)) {
      this.#finish(value);
      return;
    }
    if (!this.#isWaiting) this.#write(value);
    else if (this.#held.length < this.#run.most) this.#held.push(value);
    else this.#fail(tooMany(this.#run.most));
    if (this.#run.isLast(value)) this.#finish(undefined);
  }

  #finish(outcome: unknown): void {
    if (this.#end || this.#isOver) return;
    this.#end = { outcome };
    this.#unsubscribe();
    if (!this.#isWaiting) this.#settle();
  }

  #write(value: unknown): void {
    try {
      const wait = this.#run.emit(value);
      if (!wait) return;
      this.#isWaiting = true;
      wait.then(this.#writeHeld, (error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #writeHeld = (): void => {
    this.#isWaiting = false;
    const held = this.#held;
    let written = 0;
    while (written < held.length && !this.#isWaiting && !this.#isOver) {
      this.#write(held[written]);
      written += 1;
    }
    this.#held = held.slice(written);
    if (this.#end && !this.#isWaiting) this.#settle();
  };

  readonly #onAbort = (): void => this.#fail(this.#run.signal.reason);

  #settle(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#run.signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(this.#end?.outcome);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#held = [];
    this.#run.signal.removeEventListener('abort', this.#onAbort);
    this.#reject(error);
    this.#unsubscribe();
  }

  #unsubscribe(): void {
    this.#stop.abort();
    if (!this.#isSubscribed) return;
    this.#isSubscribed = false;
    try {
      unsubscribe(this.#subscription);
    } catch (error) {
      // Written output stays; a source that cannot be stopped still fails the run.
      if (!this.#isOver) this.#fail(error);
    }
  }
}

function tooMany(most: number): A2AError {
  const problem = `The observable emits faster than its outputs can be stored: more than ${most} wait`;
  const advice = 'slow it down, return an async iterable, which waits, or raise limits.bufferedOutputs';
  return new A2AError('OVERLOADED', `${problem}; ${advice}`);
}
