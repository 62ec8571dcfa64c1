import type { ResponseStream } from './exchange.ts';

export interface LiveStreamOptions {
  /** The events of the stream as text. */
  readonly frames: ResponseStream;
  /** Writes the last frame of a stream that fails. */
  readonly failure: (error: unknown) => string | Uint8Array;
  /** The last frame of a complete stream. Default: none. */
  readonly last?: string | undefined;
  /** The text that keeps an idle connection open; readers skip it. Default: none. */
  readonly idleText?: string | undefined;
  /** The last text of a stream that the server ends early and the client can resume. Default: none. */
  readonly comeBackText?: string | Uint8Array | undefined;
  /** Milliseconds without a frame after which the idle text goes out. */
  readonly keepAlive: number;
  /** Milliseconds after which the stream ends. The task goes on, and the client can resume the stream. */
  readonly streamTimeout: number;
  /** The clock of the server. */
  readonly now: () => number;
  /** Calls back after `milliseconds`, or never if that is infinite; returns a function that cancels it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

/** The body of a response that streams: frames, a text while there are none, an error as the last frame, and a time limit. */
export class LiveStream implements ResponseStream {
  onClose: (() => void) | undefined;
  readonly #options: LiveStreamOptions;
  #lastRead: number;
  #isIdle = false;
  #wake: (() => void) | undefined;
  #stopIdleTimer: () => void;
  readonly #stopLimit: () => void;
  #isClosed = false;
  /** The text that is still to be read of a stream that was closed by its limit. */
  #lastWords: string | Uint8Array | undefined;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#lastRead = options.now();
    const keepsAlive = options.idleText !== undefined;
    this.#stopIdleTimer = keepsAlive ? options.after(options.keepAlive, this.#checkIdle) : () => {};
    // Also ends a stream whose reader has stopped reading, so that nothing asks for more.
    this.#stopLimit = options.after(options.streamTimeout, () => {
      this.#lastWords = options.comeBackText;
      this.close();
    });
  }

  get isComplete(): boolean | undefined {
    return this.#options.frames.isComplete;
  }

  read(): string | Uint8Array | undefined {
    if (this.#isClosed) return this.#left();
    const text = this.#frames();
    if (text === undefined) {
      this.close();
      const { frames, comeBackText, last } = this.#options;
      return frames.isComplete === false ? comeBackText : last;
    }
    if (text !== '') this.#lastRead = this.#options.now();
    else if (this.#isIdle) return this.#idleText();
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

  #left(): string | Uint8Array | undefined {
    const words = this.#lastWords;
    this.#lastWords = undefined;
    return words;
  }

  #idleText(): string {
    this.#isIdle = false;
    this.#lastRead = this.#options.now();
    return this.#options.idleText ?? '';
  }

  /** The timer is not moved with each frame: when it fires, it looks at the time of the last one. */
  readonly #checkIdle = (): void => {
    const { now, after, keepAlive } = this.#options;
    const left = this.#lastRead + keepAlive - now();
    this.#stopIdleTimer = after(left > 0 ? left : keepAlive, this.#checkIdle);
    if (left > 0) return;
    // A reader with unread frames needs no keep-alive.
    if (!this.#wake) return;
    this.#isIdle = true;
    this.#readable();
  };
}
