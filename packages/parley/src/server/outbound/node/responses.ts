import type { IncomingMessage } from 'node:http';
import { OutboundError } from '../outbound-error.ts';

/** Bytes of a response to a POST that are read so that its connection can be used again. */
const LARGEST_DRAINED = 64 * 1024;
/** Milliseconds that this may take. */
const LONGEST_DRAIN = 1_000;

export interface OutboundResponse {
  readonly status: number;
  /** By their names in lower case, without those that may come several times, such as `set-cookie`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** With its body; `ReturnType` says it in words that older versions of TypeScript know. */
export interface WholeResponse extends OutboundResponse {
  readonly body: ReturnType<typeof Uint8Array.of>;
}

export function headOf({ statusCode = 0, headers }: IncomingMessage): OutboundResponse {
  const single = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { status: statusCode, headers: Object.fromEntries(single) };
}

/**
 * Reads the body away, so that the connection can be used again. One that is large or slow is not worth it: its connection
 * is closed. A caller that waits for it holds no more connections than requests.
 */
export function drained(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let size = 0;
    const timer = setTimeout(() => response.destroy(), LONGEST_DRAIN);
    response.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > LARGEST_DRAINED) response.destroy();
    });
    // The status is known; what happens to the rest of the body changes nothing.
    response.on('error', () => undefined);
    response.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The whole body, as it was sent. Throws TOO_LARGE, or UNREACHABLE if it is compressed without being asked. */
export async function bodyOf(response: IncomingMessage, most: number): Promise<WholeResponse['body']> {
  const { 'content-length': length = 0, 'content-encoding': encoding = 'identity' } = response.headers;
  const refuse = (error: OutboundError): never => {
    response.destroy();
    throw error;
  };
  if (encoding !== 'identity') refuse(new OutboundError('UNREACHABLE', 'responds with a body that is compressed'));
  const tooLarge = new OutboundError('TOO_LARGE', `responds with more than ${most} bytes`);
  if (Number(length) > most) refuse(tooLarge);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > most) throw tooLarge;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, size));
}
