import { A2AError } from '../../model/errors.ts';
import { DONE } from './format.ts';
import { LineParser } from './line-parser.ts';

/** One event of a stream. */
export interface SseFrame {
  /** The value of its `event:` line. */
  readonly event: string | undefined;
  /** The value of its own `id:` line. */
  readonly id: string | undefined;
  readonly data: string;
  /** False where the stream ended before the blank line: the data may be cut off. */
  readonly complete: boolean;
}

/** Bytes that are parsed at once; the parser holds less than this beyond an event's limit. */
const PIECE_BYTES = 65_536;

/**
 * Makes events of bytes, however they are cut (reference: v1-bindings §6). What it holds is bounded: more bytes than the
 * limit without a whole event, be it one endless line or garbage, are an error. Invalid UTF-8 is read as U+FFFD, as the
 * standard has it.
 */
export class SseParser {
  readonly #limit: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser: LineParser;
  #frames: SseFrame[] = [];
  #failure: A2AError | undefined;
  #flushing = false;
  /** Bytes since the last event. */
  #pending = 0;
  /** The first characters of the line that has not ended yet. */
  #lineStart = '';

  constructor(eventBytes: number) {
    this.#limit = eventBytes;
    this.#parser = new LineParser(({ event, id, data }) => {
      if (data.length > this.#limit) this.#failure ??= tooLarge(this.#limit);
      if (!this.#failure) this.#frames.push({ event, id, data, complete: !this.#flushing });
    });
  }

  /** The error that ended the parsing, after the events before it. */
  get failure(): A2AError | undefined {
    return this.#failure;
  }

  /** The events that end in these bytes. */
  push(bytes: Uint8Array): readonly SseFrame[] {
    for (let start = 0; start < bytes.length && !this.#failure; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      const before = this.#frames.length;
      this.#feed(this.#decoder.decode(piece, { stream: true }));
      this.#pending = this.#frames.length > before ? 0 : this.#pending + piece.length;
      if (this.#pending > this.#limit) this.#failure = tooLarge(this.#limit);
    }
    return this.#taken();
  }

  /**
   * The event that the stream ended in, where it has got data. An id that may be cut off is left out: U+0000 makes the
   * line one to ignore.
   */
  end(): readonly SseFrame[] {
    this.#feed(this.#decoder.decode());
    this.#flushing = true;
    this.#parser.feed(this.#lineStart.startsWith('id') ? '\u0000\n\n' : '\n\n');
    return this.#taken();
  }

  #feed(text: string): void {
    if (text === '') return;
    const lineEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    const line = lineEnd === -1 ? this.#lineStart + text.slice(0, 2) : text.slice(lineEnd + 1, lineEnd + 3);
    this.#lineStart = line.slice(0, 2);
    this.#parser.feed(text);
  }

  #taken(): readonly SseFrame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }
}

function tooLarge(limit: number): A2AError {
  return new A2AError('INVALID_RESPONSE', `The stream brought more than ${limit} bytes without a whole event`);
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
  readonly #onAbort = (): void => {
    this.#aborted = true;
    this.#ready = [];
    this.#cancel();
  };
  #ready: SseFrame[] = [];
  #ended = false;
  #aborted = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ body, eventBytes, signal }: SseReaderOptions) {
    this.#reader = body.getReader();
    this.#parser = new SseParser(eventBytes);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.#onAbort();
  }

  next(): Promise<IteratorResult<SseFrame, undefined>> {
    const result = this.#last.then(() => this.#advance());
    this.#last = result.catch(() => undefined);
    return result;
  }

  async return(): Promise<IteratorResult<SseFrame, undefined>> {
    this.#ready = [];
    this.#cancel();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #advance(): Promise<IteratorResult<SseFrame, undefined>> {
    while (true) {
      if (this.#aborted) this.#signal?.throwIfAborted();
      const frame = this.#ready.shift();
      if (frame && frame.data.trim() !== DONE) return { done: false, value: frame };
      if (frame) await this.return();
      if (this.#ended) return { done: true, value: undefined };
      const { failure } = this.#parser;
      if (failure) {
        this.#cancel();
        throw failure;
      }
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    let step: Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;
    try {
      step = await this.#reader.read();
    } catch (error) {
      this.#finish();
      this.#signal?.throwIfAborted();
      throw connectionLost(error);
    }
    // Nothing more is wanted of a reader that was told to stop.
    if (this.#ended) return;
    this.#ready = [...(step.done ? this.#parser.end() : this.#parser.push(step.value))];
    if (step.done) this.#finish();
  }

  #cancel(): void {
    if (this.#ended) return;
    this.#finish();
    // The other side may be gone already; that is what is wanted.
    this.#reader.cancel().catch(() => undefined);
  }

  #finish(): void {
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

function connectionLost(cause: unknown): A2AError {
  return new A2AError('UNREACHABLE', 'The connection was lost in the middle of a stream', { cause });
}
