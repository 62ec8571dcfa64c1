import type { ExchangeResponse, ResponseStream } from '../../bindings/exchange.ts';
import type { ServerCore } from '../../server/core/core.ts';

/** The reader of a response. */
export interface ResponseReader {
  /** Is told when the reader cancels. */
  readonly leave?: (() => void) | undefined;
  readonly clock: Pick<ServerCore['clock'], 'after'>;
  /** Milliseconds that it may take nothing; Infinity = for ever. */
  readonly patience: number;
}

/** A response of the server as a web `Response`; without a reader it must not be a stream. */
export function toResponse(
  { status, headers, body }: ExchangeResponse,
  request: Request,
  reader?: ResponseReader,
): Response {
  const init = { status, headers: { ...headers } };
  if (typeof body === 'object' && (request.method === 'HEAD' || !reader)) body.close();
  else if (typeof body === 'object' && reader) return new Response(toReadable(body, request.signal, reader), init);
  return new Response(typeof body !== 'string' || request.method === 'HEAD' ? null : body, init);
}

/**
 * Pulls as fast as the reader reads; a reader that cancels, or a request that is aborted, frees the stream at once. So does a
 * reader that takes nothing for too long: the connection is the runtime's to close, but nothing is held for it here.
 */
function toReadable(body: ResponseStream, signal: AbortSignal, reader: ResponseReader): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const stall = new Stall(reader);
  const free = () => {
    stall.stop();
    body.close();
  };
  // A request that was given up while it was served fires no more.
  if (signal.aborted) free();
  signal.addEventListener('abort', free, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stall.cut = () => {
          signal.removeEventListener('abort', free);
          body.close();
          controller.error(new Error('The response was cut: nothing of it was read for too long'));
        };
        stall.wait();
      },
      async pull(controller) {
        stall.read();
        const text = await readable(body);
        if (stall.isCut) return;
        if (text !== undefined) {
          controller.enqueue(typeof text === 'string' ? encoder.encode(text) : text.slice());
          stall.wait();
          return;
        }
        stall.stop();
        signal.removeEventListener('abort', free);
        // A text that broke off must not look complete.
        if (body.whole !== undefined && body.isComplete === false) controller.error(new Error('The response was cut'));
        else controller.close();
      },
      cancel() {
        reader.leave?.();
        free();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Tells when a reader has taken nothing for too long. One timer goes with it, and looks at what has happened since it was set: a
 * piece that is read sets none, and a reader that stops is found out after once to twice the time.
 */
class Stall {
  cut: (() => void) | undefined;
  isCut = false;
  readonly #clock: ResponseReader['clock'];
  readonly #patience: number;
  #stop: (() => void) | undefined;
  #isWaiting = false;
  /** The number of pieces that were asked for. */
  #reads = 0;

  constructor({ clock, patience }: ResponseReader) {
    this.#clock = clock;
    this.#patience = patience;
  }

  /** The reader asks for the next piece: until that is there, it is not the reader who is waited for. */
  read(): void {
    this.#isWaiting = false;
    this.#reads += 1;
  }

  /** The reader has got a piece, and is to ask for the next one. */
  wait(): void {
    this.#isWaiting = true;
    if (!this.#stop && this.#patience !== Number.POSITIVE_INFINITY) this.#watch();
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.cut = undefined;
  }

  #watch(): void {
    const seen = this.#reads;
    this.#stop = this.#clock.after(this.#patience, () => {
      this.#stop = undefined;
      if (!this.#isWaiting || !this.cut) return;
      if (seen !== this.#reads) {
        this.#watch();
        return;
      }
      this.isCut = true;
      this.cut();
    });
  }
}

/** The next text, as soon as there is one. */
async function readable(body: ResponseStream): Promise<string | Uint8Array | undefined> {
  for (;;) {
    const text = body.read();
    if (text !== '') return text;
    await new Promise<void>((resolve) => body.whenReadable(resolve));
  }
}
