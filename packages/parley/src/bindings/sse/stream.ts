import type { ResponseHeaders, ResponseStream } from '../exchange.ts';

/** No cache, no compression and no buffering on the way: a frame must arrive when it is sent. */
export const SSE_HEADERS: ResponseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** The end of a stream as some servers write it, out of a habit from elsewhere. */
export const DONE = '[DONE]';

/**
 * A comment is a line. A blank line after it, or after a `retry:`, is an event without data for some readers (httpx-sse,
 * once a frame had an id), and clients of theirs then fail to parse it.
 */
const KEEP_ALIVE = ': keep-alive\n';

/** Ends a stream that the server closes by plan: when to come back, in milliseconds. */
const COME_BACK = 'retry: 1000\n';

export interface SseOptions {
  readonly frames: ResponseStream;
  /** The last frame when they fail. */
  readonly failure: (error: unknown) => string;
  /** The last frame when they come to their end. */
  readonly last?: string | undefined;
  /** A comment goes out after so many idle milliseconds. */
  readonly keepAlive: number;
  /** The stream ends after so many milliseconds, whatever comes; the task goes on and the stream can be resumed. */
  readonly streamTimeout: number;
  readonly now: () => number;
  /** Calls back after so many milliseconds, never if that is infinite; gives a function that prevents it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

/** The body of an event stream: frames, comments while there are none, and an error as the last frame. */
export class SseStream implements ResponseStream {
  onClose: (() => void) | undefined;
  readonly #options: SseOptions;
  #lastRead: number;
  #isIdle = false;
  #wake: (() => void) | undefined;
  #stopIdleTimer: () => void;
  readonly #stopLimit: () => void;
  #isClosed = false;
  /** What is still to be read of a stream that was closed by its limit. */
  #lastWords: string | undefined;

  constructor(options: SseOptions) {
    this.#options = options;
    this.#lastRead = options.now();
    this.#stopIdleTimer = options.after(options.keepAlive, this.#checkIdle);
    // Also ends a stream whose reader has stopped reading, so that nothing asks for more.
    this.#stopLimit = options.after(options.streamTimeout, () => {
      this.#lastWords = COME_BACK;
      this.close();
    });
  }

  read(): string | Uint8Array | undefined {
    if (this.#isClosed) return this.#left();
    const text = this.#frames();
    if (text === undefined) {
      this.close();
      return this.#options.frames.isComplete === false ? COME_BACK : this.#options.last;
    }
    if (text !== '') this.#lastRead = this.#options.now();
    else if (this.#isIdle) return this.#comment();
    return text;
  }

  whenReadable(callback: () => void): void {
    if (this.#isClosed || this.#isIdle) {
      callback();
      return;
    }
    this.#wake = callback;
    this.#options.frames.whenReadable(this.#readable);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopLimit();
    this.#stopIdleTimer();
    this.#options.frames.close();
    this.onClose?.();
    this.#readable();
  }

  readonly #readable = (): void => {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  };

  #frames(): string | Uint8Array | undefined {
    try {
      return this.#options.frames.read();
    } catch (error) {
      this.close();
      return this.#options.failure(error);
    }
  }

  #left(): string | undefined {
    const words = this.#lastWords;
    this.#lastWords = undefined;
    return words;
  }

  #comment(): string {
    this.#isIdle = false;
    this.#lastRead = this.#options.now();
    return KEEP_ALIVE;
  }

  /** The timer is not moved with each frame; it looks at what happened since when it fires. */
  readonly #checkIdle = (): void => {
    const { now, after, keepAlive } = this.#options;
    const left = this.#lastRead + keepAlive - now();
    this.#stopIdleTimer = after(left > 0 ? left : keepAlive, this.#checkIdle);
    if (left > 0) return;
    // Who does not wait has not read what it was given, and has no use for a comment.
    if (!this.#wake) return;
    this.#isIdle = true;
    this.#readable();
  };
}
