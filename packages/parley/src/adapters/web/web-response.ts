import type { ExchangeResponse, ResponseStream } from '../../bindings/exchange.ts';
import type { ServerCore } from '../../server/core/core.ts';

/** The reader of a response. */
interface ResponseReader {
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
  const pieces = new Pieces(body);
  const stall = new Stall(reader, pieces);
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
        const text = await pieces.next();
        if (stall.isCut) return;
        if (text !== undefined) {
          controller.enqueue(typeof text === 'string' ? encoder.encode(text) : text.slice());
          stall.wait();
          return;
        }
        stall.stop();
        signal.removeEventListener('abort', free);
        // A text that broke off must not look complete.
        const isBroken = body.isBroken || (body.whole !== undefined && body.isComplete === false);
        if (isBroken) controller.error(new Error('The response was cut'));
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

/** The pieces of a response. */
class Pieces {
  readonly #body: ResponseStream;
  /** Was taken from the body to see whether there is one. */
  #ahead: string | Uint8Array = '';

  constructor(body: ResponseStream) {
    this.#body = body;
  }

  /** True if there is one for a reader to take. */
  areThere(): boolean {
    this.#lookAhead();
    // Streams that are behind fetch nothing until they are waited for.
    if (this.#ahead === '') this.#body.whenReadable(this.#lookAhead);
    return this.#ahead !== '';
  }

  readonly #lookAhead = (): void => {
    if (this.#ahead === '') this.#ahead = this.#body.read() ?? '';
  };

  /** The next one, as soon as it is there; undefined at the end. */
  async next(): Promise<string | Uint8Array | undefined> {
    const ahead = this.#ahead;
    this.#ahead = '';
    if (ahead !== '') return ahead;
    for (;;) {
      const text = this.#body.read();
      if (text !== '') return text;
      await new Promise<void>((resolve) => this.#body.whenReadable(resolve));
    }
  }
}

/**
 * Tells when a reader has left what is there for too long. One timer goes with it, and looks at what has happened since it was
 * set: a piece that is read sets none, and a reader that stops is found out after once to twice the time.
 */
class Stall {
  cut: (() => void) | undefined;
  isCut = false;
  readonly #reader: Pick<ResponseReader, 'clock' | 'patience'>;
  readonly #pieces: Pieces;
  #stop: (() => void) | undefined;
  #isWaiting = false;
  /** The number of pieces that were asked for. */
  #reads = 0;

  constructor(reader: ResponseReader, pieces: Pieces) {
    this.#reader = reader;
    this.#pieces = pieces;
  }

  /** The reader asks for the next piece: until that is there, it is not the reader who is waited for. */
  read(): void {
    this.#isWaiting = false;
    this.#reads += 1;
  }

  /** The reader has got a piece, and is to ask for the next one. */
  wait(): void {
    this.#isWaiting = true;
    if (!this.#stop && this.#reader.patience !== Number.POSITIVE_INFINITY) this.#watch(undefined);
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.cut = undefined;
  }

  /** `left`: the reads when a piece was there that the reader had not asked for. */
  #watch(left: number | undefined): void {
    const { clock, patience } = this.#reader;
    this.#stop = clock.after(patience, () => {
      this.#stop = undefined;
      if (!this.#isWaiting || !this.cut) return;
      if (left !== this.#reads) {
        this.#watch(this.#pieces.areThere() ? this.#reads : undefined);
        return;
      }
      this.isCut = true;
      this.cut();
    });
  }
}
