import type { ServerResponse } from 'node:http';
import type { ExchangeResponse, ResponseStream } from '../bindings/exchange.ts';
import { StallWatch } from './stall-watch.ts';

/** Milliseconds for responses that are being written when the server stops, or when a stream has reached its limit. */
export const LAST_WORDS = 2000;

export interface WriteOptions {
  /** The method of the request. */
  readonly method: string | undefined;
  /** Milliseconds that a reader of a stream may take nothing. */
  readonly stallTimeout: number;
  /** Is told of what goes wrong later, while a stream is written. */
  readonly fail: (error: unknown) => void;
}

/** Writes a response; that of a stream goes on after this has returned. */
export function writeResponse(outgoing: ServerResponse, response: ExchangeResponse, options: WriteOptions): void {
  if (typeof response.body !== 'object') send(outgoing, response, options.method);
  else if (options.method === 'HEAD') end(outgoing, response, response.body);
  else stream(outgoing, response, response.body, options);
}

function send(outgoing: ServerResponse, { status, headers, body }: ExchangeResponse, method: string | undefined): void {
  const text = typeof body === 'string' ? body : '';
  const hasLength = status !== 304 && status !== 204;
  outgoing.writeHead(status, hasLength ? { ...headers, 'content-length': Buffer.byteLength(text) } : headers);
  outgoing.end(method === 'HEAD' ? undefined : text);
}

/** The headers of a stream that nobody will read. */
function end(outgoing: ServerResponse, { status, headers }: ExchangeResponse, body: ResponseStream): void {
  body.close();
  outgoing.writeHead(status, headers);
  outgoing.end();
}

/** Writes as fast as the peer reads, and frees the stream at once when the peer is gone. */
function stream(
  outgoing: ServerResponse,
  { status, headers }: ExchangeResponse,
  body: ResponseStream,
  { stallTimeout, fail }: WriteOptions,
): void {
  if (outgoing.destroyed || outgoing.closed) {
    body.close();
    return;
  }
  const watch = new StallWatch(outgoing, stallTimeout);
  const pump = (): void => {
    try {
      if (forward(body, outgoing)) body.whenReadable(pump);
      else if (outgoing.writableNeedDrain) watch.start();
    } catch (error) {
      // The code that publishes events must not meet the trouble of one reader.
      fail(error);
    }
  };
  body.onClose = () => {
    if (outgoing.writableNeedDrain) watch.finish(LAST_WORDS);
  };
  outgoing.once('close', () => {
    watch.stop();
    body.close();
  });
  outgoing.on('drain', () => {
    watch.stop();
    pump();
  });
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  pump();
}

/** Hands on what is ready. True if there is nothing more yet; false if the peer must read first, or at the end. */
function forward(body: ResponseStream, outgoing: ServerResponse): boolean {
  while (!outgoing.destroyed) {
    const text = body.read();
    if (text === '') return true;
    if (text === undefined) {
      outgoing.end();
      return false;
    }
    if (!outgoing.write(text)) return false;
  }
  return false;
}
