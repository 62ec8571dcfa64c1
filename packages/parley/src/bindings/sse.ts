import type { ResponseHeaders, ResponseStream } from './exchange.ts';

/** No cache, no compression and no buffering on the way: a frame must arrive when it is sent. */
export const SSE_HEADERS: ResponseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

const KEEP_ALIVE = ': keep-alive\n\n';
const DONE: IteratorResult<string, undefined> = { done: true, value: undefined };

export interface SseOptions {
  readonly frames: AsyncIterableIterator<string>;
  /** The last frame when they fail. */
  readonly failure: (error: unknown) => string;
  /** A comment goes out after so many idle milliseconds. */
  readonly keepAlive: number;
  /** The stream ends after so many milliseconds, whatever comes; the task goes on and the stream can be resumed. */
  readonly streamTimeout: number;
  /** Calls back after so many milliseconds, never if that is infinite; gives a function that prevents it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

/**
 * The body of an event stream. Written by hand rather than as a generator so that `return()` frees the frames at once,
 * also while it waits for the next event.
 */
export class SseStream implements ResponseStream {
  readonly #options: SseOptions;
  #fetching = false;
  #arrived: IteratorResult<string> | undefined;
  #error: { readonly cause: unknown } | undefined;
  #wake: (() => void) | undefined;
  #stopIdleTimer: (() => void) | undefined;
  readonly #stopLimit: () => void;
  #closed = false;

  constructor(options: SseOptions) {
    this.#options = options;
    // Also ends a stream whose reader has stopped reading, so that nothing asks for more.
    this.#stopLimit = options.after(options.streamTimeout, () => void this.return());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    for (;;) {
      if (this.#closed) return DONE;
      if (!this.#arrived && !this.#error) {
        this.#fetch();
        const idle = await this.#arrival();
        if (this.#closed) return DONE;
        if (idle) return { done: false, value: KEEP_ALIVE };
      }
      if (this.#error) {
        const { cause } = this.#error;
        await this.return();
        return { done: false, value: this.#options.failure(cause) };
      }
      const arrived = this.#arrived;
      this.#arrived = undefined;
      if (!arrived) continue;
      return arrived.done ? this.return() : arrived;
    }
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    if (!this.#closed) {
      this.#closed = true;
      this.#stopLimit();
      this.#stopIdleTimer?.();
      this.#wake?.();
      await this.#options.frames.return?.();
    }
    return DONE;
  }

  /** Asks for the next frames, unless that was done before the stream fell idle. */
  #fetch(): void {
    if (this.#fetching) return;
    this.#fetching = true;
    this.#options.frames
      .next()
      .then(
        (arrived) => {
          this.#arrived = arrived;
        },
        (cause: unknown) => {
          this.#error = { cause };
        },
      )
      .finally(() => {
        this.#fetching = false;
        this.#wake?.();
      });
  }

  /** Waits until something has arrived; true if the keep-alive time came first. */
  #arrival(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#stopIdleTimer = this.#options.after(this.#options.keepAlive, () => {
        this.#wake = undefined;
        resolve(true);
      });
      this.#wake = () => {
        this.#stopIdleTimer?.();
        this.#wake = undefined;
        resolve(false);
      };
    });
  }
}
