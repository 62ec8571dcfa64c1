import type { IncomingMessage } from 'node:http';

/** How much of a response to a POST is read so that its connection can be used again, in bytes. */
export const LARGEST_DRAINED = 64 * 1024;

export interface OutboundResponse {
  readonly status: number;
  /** By their names in lower case; of those that may come several times, such as `set-cookie`, there are none. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export function headOf({ statusCode = 0, headers }: IncomingMessage): OutboundResponse {
  const single = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { status: statusCode, headers: Object.fromEntries(single) };
}

/** Reads the body away, so that the connection can be used again; a large one is not worth it. */
export function drain(response: IncomingMessage): void {
  let size = 0;
  response.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > LARGEST_DRAINED) response.destroy();
  });
  // The status is known; what happens to the rest of the body changes nothing.
  response.on('error', () => undefined);
}
