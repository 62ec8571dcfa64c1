import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Consumed, Oversized } from '../bindings/exchange.ts';

/** The source of a request's body. */
export interface BodySource {
  readonly incoming: IncomingMessage;
  /** The stream of the bytes where it is not the request itself, e.g. because a framework has unpacked them. */
  readonly payload?: Readable | undefined;
  /** The body as middleware has parsed it; used only where the bytes have been read. */
  readonly parsed?: unknown;
}

/** The bytes or what was made of them; `aborted`: the peer went away before it had sent all. */
export function readBody({ incoming, payload = incoming, parsed }: BodySource, limit: number): Promise<unknown> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Promise.resolve(undefined);
  if (isAnnouncedTooLarge(incoming, limit)) return Promise.resolve(new Oversized(limit));
  // One of no length can be read to its end without having given any.
  const wasRead = payload.readableDidRead || payload.readableEnded;
  if (wasRead) return Promise.resolve(hasBody(incoming) ? leftBehind(parsed) : undefined);
  // A request that broke off before anybody listened fires no more.
  if (payload.destroyed) return Promise.resolve('aborted');
  return readBytes(payload, limit);
}

export function isAnnouncedTooLarge(incoming: IncomingMessage, limit: number): boolean {
  return Number(incoming.headers['content-length'] ?? 0) > limit;
}

/** Some middleware leaves an empty object where there was nothing to parse. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function leftBehind(parsed: unknown): unknown {
  return parsed === undefined ? new Consumed() : parsed;
}

function readBytes(payload: Readable, limit: number): Promise<unknown> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        payload.removeAllListeners('data');
        resolve(new Oversized(limit));
        return;
      }
      chunks.push(chunk);
    });
    payload.on('end', () => {
      if (size === 0) resolve(undefined);
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
    });
    payload.on('close', () => resolve('aborted'));
    payload.on('error', () => resolve('aborted'));
  });
}
