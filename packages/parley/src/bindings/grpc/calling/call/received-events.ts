import type { A2AError } from '../../../../model/errors/errors.ts';
import { ENDED, type ReceivedEvent } from '../../../caller.ts';
import type { FailedStatus } from '../status.ts';
import type { StreamCall } from './stream-call.ts';

interface ReceivedEventsOptions {
  readonly call: StreamCall;
  readonly signal: AbortSignal | undefined;
  /** Reads one message; throws where it is no event. */
  readonly read: (message: Uint8Array) => ReceivedEvent;
  readonly errorOf: (failure: FailedStatus) => A2AError;
}

/**
 * The events of a stream. It ends where the server ends it; throws the error of the status that ended it, UNREACHABLE where the
 * connection is lost, and the signal's reason where it is aborted. `return()` cancels the call at once, also while `next()` waits.
 */
export class ReceivedEvents implements AsyncIterableIterator<ReceivedEvent, undefined> {
  readonly #options: ReceivedEventsOptions;
  #last: Promise<unknown> = Promise.resolve();
  #isEnded = false;

  constructor(options: ReceivedEventsOptions) {
    this.#options = options;
  }

  next(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    const result = this.#last.then(() => this.#advance());
    this.#last = result.catch(() => this.#end());
    return result;
  }

  async #advance(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    const { call, signal, read, errorOf } = this.#options;
    if (this.#isEnded) return ENDED;
    signal?.throwIfAborted();
    const message = await call.next();
    signal?.throwIfAborted();
    if (this.#isEnded) return ENDED;
    if (message === undefined) {
      this.#isEnded = true;
      if (call.failure) throw errorOf(call.failure);
      return ENDED;
    }
    const value = read(message);
    if (value.final) this.#end();
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    this.#end();
    return ENDED;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.call.leave();
  }
}
