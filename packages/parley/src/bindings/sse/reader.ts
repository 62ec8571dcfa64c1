import { A2AError } from '../../model/errors/errors.ts';
import { ENDED } from '../caller.ts';
import { DONE } from './format.ts';
import { LineParser, type SseFrame } from './line-parser.ts';

export type { SseFrame };

/**
 * Makes events of bytes, however they are cut (reference: v1-bindings §6). What it holds is bounded: more bytes than the
 * limit without a whole event, be it one endless line or garbage, are an error. Invalid UTF-8 is read as U+FFFD, as the
 * standard has it.
 */
export class SseParser {
  readonly #limit: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser = new LineParser((frame) => {
    this.#pending = 0;
    if (frame.data.length > this.#limit) this.#fail();
    if (!this.failure) this.#frames.push(frame);
  });
  #frames: SseFrame[] = [];
  /** Bytes since the last event. */
  #pending = 0;
  /** The error that ended the parsing, after the events before it. */
  failure: A2AError | undefined;

  constructor(eventBytes: number) {
    this.#limit = eventBytes;
  }

  /** The events that end in these bytes. */
  push(bytes: Uint8Array): SseFrame[] {
    this.#pending += bytes.length;
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    if (this.#pending > this.#limit) this.#fail();
    return this.#taken();
  }

  /** The event that the stream ended in, where it has got data. */
  end(): SseFrame[] {
    this.#parser.end(this.#decoder.decode());
    return this.#taken();
  }

  #fail(): void {
    const text = `The stream brought more than ${this.#limit} bytes without a whole event`;
    this.failure ??= new A2AError('INVALID_RESPONSE', text);
  }

  #taken(): SseFrame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }
}

export interface SseReaderOptions {
  readonly body: ReadableStream<Uint8Array>;
  readonly eventBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The events of a response. It ends with the response or at `[DONE]`; throws UNREACHABLE where the connection is lost, and
 * the signal's reason where it is aborted. `return()` cancels the response at once, also while `next()` waits.
 */
export class SseReader implements AsyncIterableIterator<SseFrame> {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser: SseParser;
  readonly #signal: AbortSignal | undefined;
  #ready: SseFrame[] = [];
  #ended = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ body, eventBytes, signal }: SseReaderOptions) {
    this.#reader = body.getReader();
    this.#parser = new SseParser(eventBytes);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#cancel, { once: true });
    if (signal?.aborted) this.#cancel();
  }

  next(): Promise<IteratorResult<SseFrame, undefined>> {
    const result = this.#last.then(() => this.#advance());
    this.#last = result.catch(() => {});
    return result;
  }

  async #advance(): Promise<IteratorResult<SseFrame, undefined>> {
    for (;;) {
      this.#signal?.throwIfAborted();
      const frame = this.#ready.shift();
      if (frame && frame.data.trim() !== DONE) return { done: false, value: frame };
      if (frame) this.#cancel();
      if (this.#ended) return ENDED;
      const { failure } = this.#parser;
      if (failure) {
        this.#cancel();
        throw failure;
      }
      await this.#read();
    }
  }

  async return(): Promise<IteratorResult<SseFrame, undefined>> {
    this.#cancel();
    return ENDED;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #read(): Promise<void> {
    let step: Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;
    try {
      step = await this.#reader.read();
    } catch (error) {
      this.#finish();
      this.#signal?.throwIfAborted();
      throw new A2AError('UNREACHABLE', 'The connection was lost in the middle of a stream', { cause: error });
    }
    // Nothing more is wanted of a reader that was told to stop.
    if (this.#ended) return;
    this.#ready = step.done ? this.#parser.end() : this.#parser.push(step.value);
    if (step.done) this.#finish();
  }

  readonly #cancel = (): void => {
    this.#ready = [];
    if (this.#ended) return;
    this.#finish();
    // The other side may be gone already; that is what is wanted.
    this.#reader.cancel().catch(() => {});
  };

  #finish(): void {
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#cancel);
  }
}
