import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ExchangeResponse, ResponseHeaders, ResponseStream } from '../../bindings/exchange.ts';
import type { ServerCore } from '../../server/core/core.ts';
import { StallWatch } from './stall-watch.ts';

/** Milliseconds for responses that are being written when the server stops, or when a stream has reached its limit. */
export const LAST_WORDS = 2000;

interface WriteOptions {
  /** The method of the request. */
  readonly method: string | undefined;
  /** Milliseconds that a reader of a stream may take nothing. */
  readonly stallTimeout: number;
  /** Is told of what goes wrong later, while a stream is written. */
  readonly log: ServerCore['log'];
  /** The request, where its body is left on the wire. Default: it was read. */
  readonly left?: LeftBody | undefined;
}

/** An unwanted body. */
interface LeftBody {
  readonly incoming: IncomingMessage;
  /** The most bytes that are worth reading for nothing. */
  readonly most: number;
}

/** Writes a response; that of a stream goes on after this has returned. */
export function writeResponse(outgoing: ServerResponse, response: ExchangeResponse, options: WriteOptions): void {
  if (typeof response.body !== 'object') send(outgoing, response, options);
  else if (options.method === 'HEAD') end(outgoing, response, response.body);
  else stream(outgoing, response, response.body, options);
}

/** Ends a response that cannot be written to its end. */
export function giveUp(outgoing: ServerResponse, log: WriteOptions['log'], error: unknown): void {
  log.error('A response could not be written', { error });
  outgoing.destroy();
}

function send(outgoing: ServerResponse, { status, headers, body }: ExchangeResponse, options: WriteOptions): void {
  const { method, stallTimeout, left } = options;
  const text = typeof body === 'string' ? body : '';
  const size = Buffer.byteLength(text);
  const hasLength = status !== 304 && status !== 204;
  if (left) outgoing.setHeader('connection', 'close');
  outgoing.writeHead(status, hasLength ? { ...headers, 'content-length': size } : headers);
  if (left) {
    if (method !== 'HEAD') outgoing.write(text);
    readAway(left, () => outgoing.end());
    return;
  }
  if (method === 'HEAD') outgoing.end();
  else outgoing.end(text, encodingOf(text, size));
  // The kernel has not taken it all, because the client does not read.
  if (outgoing.socket && outgoing.writableLength > 0) watchEnd(outgoing, stallTimeout);
}

/** ASCII is the same in both, and Node need not look through it to write it as Latin-1. `size`: in UTF-8. */
function encodingOf(text: string, size: number): BufferEncoding {
  return size === text.length ? 'latin1' : 'utf8';
}

/**
 * Reads what is left of a body for a moment, without keeping it, and then closes the connection. A client that is still
 * sending when its connection is closed would never read why it was refused.
 */
function readAway({ incoming, most }: LeftBody, close: () => void): void {
  let size = 0;
  const finish = () => {
    clearTimeout(timer);
    incoming.off('data', count);
    close();
  };
  const timer = setTimeout(finish, LAST_WORDS);
  timer.unref();
  const count = (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) finish();
  };
  incoming.on('data', count);
  incoming.once('close', finish);
  incoming.once('end', finish);
  incoming.resume();
}

function watchEnd(outgoing: ServerResponse, stallTimeout: number): void {
  const watch = new StallWatch(outgoing, stallTimeout);
  outgoing.once('close', () => watch.stop());
  watch.start();
}

/** The headers of a stream without a reader. */
function end(outgoing: ServerResponse, { status, headers }: ExchangeResponse, body: ResponseStream): void {
  const withLength = streamHeaders(headers, body);
  body.close();
  outgoing.writeHead(status, withLength);
  outgoing.end();
}

/** Writes as fast as the peer reads, and frees the stream at once when the peer is gone. */
function stream(
  outgoing: ServerResponse,
  { status, headers }: ExchangeResponse,
  body: ResponseStream,
  { stallTimeout, log }: WriteOptions,
): void {
  if (outgoing.destroyed || outgoing.closed) {
    body.close();
    return;
  }
  const watch = new StallWatch(outgoing, stallTimeout);
  const pump = (): void => {
    try {
      if (forward(body, outgoing)) body.whenReadable(pump);
      else if (outgoing.writableNeedDrain || outgoing.writableLength > 0) watch.start();
    } catch (error) {
      // The code that publishes events must not meet the trouble of one reader.
      giveUp(outgoing, log, error);
    }
  };
  body.onClose = () => {
    // A text that broke off must not look complete, nor leave its client waiting for the rest.
    if (body.whole !== undefined) outgoing.destroy();
    else if (outgoing.writableNeedDrain) watch.finish(LAST_WORDS);
  };
  outgoing.once('close', () => {
    watch.stop();
    body.close();
  });
  outgoing.on('drain', () => {
    watch.stop();
    pump();
  });
  outgoing.writeHead(status, streamHeaders(headers, body));
  outgoing.flushHeaders();
  pump();
}

/** Hands on what is ready. True if there is nothing more yet; false if the peer must read first, or at the end. */
function forward(body: ResponseStream, outgoing: ServerResponse): boolean {
  while (!outgoing.destroyed) {
    const text = body.read();
    if (text === '') return true;
    if (text === undefined) {
      if (body.isBroken) outgoing.destroy();
      else outgoing.end();
      return false;
    }
    const hasRoom =
      typeof text === 'string' ? outgoing.write(text, encodingOf(text, Buffer.byteLength(text))) : outgoing.write(text);
    if (!hasRoom) return false;
  }
  return false;
}

/** A text that is there from the start has a length. */
function streamHeaders(headers: ResponseHeaders, { whole }: ResponseStream): OutgoingHttpHeaders {
  return whole === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(whole) };
}
