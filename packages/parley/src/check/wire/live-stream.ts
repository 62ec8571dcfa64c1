import type { Budget } from './budget.ts';
import type { WireError } from './errors.ts';
import type { Exchange, Outgoing } from './exchange.ts';
import type { EventSource, Frame } from './stream/event-source.ts';

export type { Frame } from './stream/event-source.ts';

/** The state of a stream: still open, ended by the server, cut off, too long for us, or closed by us. */
export type StreamEnd = 'open' | 'ended' | 'cut' | 'too much' | 'left';

/** A stream of events that is being read, never more of it than the limits allow. */
export class LiveStream {
  readonly frames: Frame[] = [];
  /** The number of comments, such as those that keep a connection alive. */
  comments = 0;
  end: StreamEnd = 'open';
  /** The error with which the server ended the stream, where the binding has one for that. */
  failure: WireError | undefined;
  readonly #sent: Outgoing;
  readonly #source: EventSource;
  readonly #budget: Budget;
  readonly #odd: boolean | undefined;
  #text = '';
  #size = 0;
  #wake: (() => void) | undefined;

  constructor(sent: Outgoing, source: EventSource, budget: Budget, odd?: boolean) {
    this.#sent = sent;
    this.#source = source;
    this.#budget = budget;
    this.#odd = odd;
    source.listen({
      took: (text, bytes) => this.#take(text, bytes),
      frame: (frame) => void (this.end === 'open' && this.frames.push(frame)),
      comments: (count) => {
        this.comments += count;
      },
      end: (end, failure) => {
        this.failure ??= failure;
        this.#finish(end);
      },
    });
  }

  /** The request, and what has come so far. */
  get exchange(): Exchange {
    return { sent: this.#sent, got: { ...this.#source.head(), text: this.#text }, odd: this.#odd };
  }

  /** The first frame that fits, from the given one on; undefined where the stream ends or nothing fitting comes in time. */
  async find(
    fits: (frame: Frame) => boolean,
    { from = 0, waitMs = this.#budget.answerMs } = {},
  ): Promise<Frame | undefined> {
    const end = performance.now() + Math.min(waitMs, this.#budget.left);
    for (let index = from; ; index += 1) {
      while (index >= this.frames.length) {
        const left = end - performance.now();
        if (this.end !== 'open' || left <= 0) return undefined;
        await this.#news(left);
      }
      const frame = this.frames[index];
      if (frame && fits(frame)) return frame;
    }
  }

  /** Waits for the server to end the stream; tells whether it did. */
  async ended(waitMs = this.#budget.answerMs): Promise<boolean> {
    const end = performance.now() + Math.min(waitMs, this.#budget.left);
    for (let left = end - performance.now(); this.end === 'open' && left > 0; left = end - performance.now()) {
      await this.#news(left);
    }
    return this.end === 'ended';
  }

  close(): void {
    this.#finish('left');
    this.#source.destroy();
  }

  #news(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, waitMs);
      this.#wake = done;
      function done() {
        clearTimeout(timer);
        resolve();
      }
    });
  }

  #finish(end: StreamEnd): void {
    if (this.end === 'open') this.end = end;
    this.#wake?.();
  }

  #take(text: string, bytes: number): void {
    if (this.end !== 'open') return;
    const { responseBytes, streamEvents } = this.#budget.limits;
    this.#size += bytes;
    this.#text += text;
    if (this.#size > responseBytes || this.frames.length > streamEvents) {
      this.#finish('too much');
      this.#source.destroy();
    }
    this.#wake?.();
  }
}
