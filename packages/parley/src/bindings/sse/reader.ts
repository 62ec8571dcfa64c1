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
  readonly #decoder = new TextDecoder();
  readonly #parser = new LineParser((frame) => {
    this.#pending = 0;
    if (frame.data.length > this.#limit) this.#fail();
    if (!this.failure) this.frames.push(frame);
  });
  /** The events that were not taken yet. */
  readonly frames: SseFrame[] = [];
  /** Bytes since the last event. */
  #pending = 0;
  /** The error that ended the parsing, after the events before it. */
  failure: A2AError | undefined;

  constructor(eventBytes: number) {
    this.#limit = eventBytes;
  }

  /** Adds the events that end in these bytes. */
  push(bytes: Uint8Array): void {
    this.#pending += bytes.length;
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    if (this.#pending > this.#limit) this.#fail();
  }

  /** Adds the event that the stream ended in, where it has got data. */
  end(): void {
    this.#parser.end(this.#decoder.decode());
  }

  #fail(): void {
    const text = `An event is larger than the ${this.#limit} bytes that are allowed`;
    this.failure ??= new A2AError('INVALID_RESPONSE', text);
  }
}

interface SseReaderOptions {
  readonly body: ReadableStream<Uint8Array>;
  readonly eventBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Makes values of a frame, mostly one. `end`: nothing of the stream is wanted after them. */
type ReadFrame<Value> = (frame: SseFrame, end: () => void) => readonly Value[];

/**
 * The values that `readFrame` makes of the events of a response. Ends with the response or at `[DONE]`; throws
 * UNREACHABLE if the connection is lost, the errors of `readFrame`, and the signal's reason if it is aborted.
 * `return()` cancels the response at once, also while `next()` waits.
 */
export class SseReader<Value> implements AsyncIterableIterator<Value, undefined> {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser: SseParser;
  readonly #signal: AbortSignal | undefined;
  readonly #readFrame: ReadFrame<Value>;
  /** Those of the last frame that were not taken yet. */
  #values: Value[] = [];
  #ended = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ body, eventBytes, signal }: SseReaderOptions, readFrame: ReadFrame<Value>) {
    this.#reader = body.getReader();
    this.#parser = new SseParser(eventBytes);
    this.#signal = signal;
    this.#readFrame = readFrame;
    signal?.addEventListener('abort', this.#cancel, { once: true });
    if (signal?.aborted) this.#cancel();
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    const result = this.#last.then(() => this.#advance());
    this.#last = result.catch(this.#cancel);
    return result;
  }

  async #advance(): Promise<IteratorResult<Value, undefined>> {
    for (;;) {
      this.#signal?.throwIfAborted();
      const value = this.#values.shift();
      if (value) return { done: false, value };
      const frame = this.#parser.frames.shift();
      if (frame?.data.trim() === DONE) this.#cancel();
      else if (frame) this.#values = [...this.#readFrame(frame, this.#cancel)];
      else if (this.#ended) return ENDED;
      else if (this.#parser.failure) throw this.#parser.failure;
      else await this.#read();
    }
  }

  async return(): Promise<IteratorResult<Value, undefined>> {
    this.#values = [];
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
      throw new A2AError('UNREACHABLE', 'The connection was lost', { cause: error });
    }
    // Nothing more is wanted of a reader that was told to stop.
    if (this.#ended) return;
    if (!step.done) {
      this.#parser.push(step.value);
      return;
    }
    this.#parser.end();
    this.#finish();
  }

  readonly #cancel = (): void => {
    this.#parser.frames.length = 0;
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
