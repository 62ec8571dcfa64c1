import type { Budget } from './budget.ts';
import type { CarriedResponse } from './carrier.ts';
import type { Exchange, Outgoing } from './exchange.ts';

/** One event of a stream as it was written. */
export interface Frame {
  /** The lines of the frame without the empty line that ends it. */
  readonly lines: readonly string[];
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  /** What the `data:` lines hold. */
  readonly data: string;
  /** The same as JSON; undefined where it is none. */
  readonly json: unknown;
}

/** How a stream stands: still open, ended by the server, cut off, too long for us, or closed by us. */
export type StreamEnd = 'open' | 'ended' | 'cut' | 'too much' | 'left';

const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/;

/** A stream of events that is being read, never more of it than the limits allow. */
export class LiveStream {
  readonly frames: Frame[] = [];
  /** The number of comments, such as those that keep a connection alive. */
  comments = 0;
  end: StreamEnd = 'open';
  readonly #sent: Outgoing;
  readonly #response: CarriedResponse;
  readonly #budget: Budget;
  readonly #odd: boolean | undefined;
  readonly #decoder = new TextDecoder();
  #text = '';
  #pending = '';
  #size = 0;
  #wake: (() => void) | undefined;

  constructor(sent: Outgoing, response: CarriedResponse, budget: Budget, odd?: boolean) {
    this.#sent = sent;
    this.#response = response;
    this.#budget = budget;
    this.#odd = odd;
    void this.#readAll();
  }

  /** What was sent and what has come so far. */
  get exchange(): Exchange {
    const { status, headers } = this.#response;
    return { sent: this.#sent, got: { status, headers, text: this.#text }, odd: this.#odd };
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
    this.#response.close();
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

  async #readAll(): Promise<void> {
    try {
      for await (const chunk of this.#response.body) {
        if (this.end === 'open') this.#take(chunk);
        if (this.end !== 'open') break;
      }
      this.#finish('ended');
    } catch {
      this.#finish('cut');
    }
  }

  #take(chunk: Uint8Array): void {
    const { responseBytes, streamEvents } = this.#budget.limits;
    this.#size += chunk.length;
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#text += text;
    this.#pending += text;
    for (let gap = BLANK_LINE.exec(this.#pending); gap; gap = BLANK_LINE.exec(this.#pending)) {
      this.#read(this.#pending.slice(0, gap.index));
      this.#pending = this.#pending.slice(gap.index + gap[0].length);
    }
    if (this.#size > responseBytes || this.frames.length > streamEvents) {
      this.#finish('too much');
      this.#response.close();
    }
    this.#wake?.();
  }

  #read(block: string): void {
    const all = block.split(/\r\n|\n|\r/);
    const lines = all.filter((line) => line !== '' && !line.startsWith(':'));
    this.comments += all.filter((line) => line.startsWith(':')).length;
    if (lines.length === 0) return;
    const valuesOf = (field: string) =>
      lines
        .filter((line) => line.startsWith(`${field}:`))
        .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
    const data = valuesOf('data');
    // A frame without data, such as a bare `retry:`, is no event.
    if (data.length === 0) return;
    const text = data.join('\n');
    this.frames.push({
      lines,
      id: valuesOf('id').at(-1),
      event: valuesOf('event').at(-1),
      data: text,
      json: parse(text),
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
