import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Consumed, Truncated, Unread } from '../../bindings/exchange.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { type HeldBodies, type HeldBody, SMALL_BODY, tooLarge } from '../../server/http/held/held-bodies.ts';
import { type Unpacking, unpackingOf } from './node-unpacking.ts';

/** The source of a request's body. */
export interface BodySource {
  readonly incoming: IncomingMessage;
  /** The stream of the bytes where it is not the request itself, e.g. because a framework has unpacked them. */
  readonly payload?: Readable | undefined;
  /** The body as middleware has parsed it; used only where the bytes have been read. */
  readonly parsed?: unknown;
}

/** The bodies that are there without reading: none, one that was read by others, and one that need not be read. */
export function knownBody({ incoming, payload = incoming, parsed }: BodySource, limit: number): Known | undefined {
  const { method } = incoming;
  if (method === 'GET' || method === 'HEAD') return NO_BODY;
  const announced = announcedLength(incoming);
  if (announced !== undefined && announced > limit) return { body: new Unread(tooLarge(limit)) };
  // One of no length can be read to its end without having given any.
  const wasRead = payload.readableDidRead || payload.readableEnded;
  if (wasRead) return hasBody(incoming) ? { body: parsed === undefined ? new Consumed() : parsed } : NO_BODY;
  // A request that broke off before anybody listened fires no more.
  return payload.destroyed ? { body: new Truncated(undefined) } : undefined;
}

interface Known {
  readonly body: unknown;
}

const NO_BODY: Known = { body: undefined };

/** Undefined where the request does not say it. */
function announcedLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}

export function isLargeBody(incoming: IncomingMessage): boolean {
  const announced = announcedLength(incoming);
  return announced === undefined || announced > SMALL_BODY || incoming.headers['content-encoding'] !== undefined;
}

/** Some middleware leaves an empty object where there was nothing to parse. */
function hasBody(incoming: IncomingMessage): boolean {
  return announcedLength(incoming) !== 0;
}

/** Reads a body, and calls back once with its bytes or with what stands for them. Returns what it holds. */
export function readBytes(
  { incoming, payload = incoming }: BodySource,
  bodies: HeldBodies,
  most: number | undefined,
  done: (body: unknown) => void,
): HeldBody {
  let chunks: Buffer[] = [];
  let size = 0;
  let unpacking: Unpacking | undefined;
  let isOver = false;
  let bytes: Readable = payload;
  const finish = (body: unknown) => {
    if (isOver) return;
    isOver = true;
    chunks = [];
    bytes.off('data', take);
    unpacking?.stop();
    if (body instanceof Unread) held.release();
    else held.arrived();
    done(body);
  };
  const held = bodies.begin(most, (reason) => finish(new Unread(reason)));
  const take = (chunk: Buffer) => {
    size += chunk.length;
    const reason = held.grow(size) ?? unpacking?.refusalOf(size);
    if (reason) finish(new Unread(reason));
    else chunks.push(chunk);
  };
  try {
    // A framework that has unpacked the body hands in a stream of its own.
    unpacking = payload === incoming ? unpackingOf(incoming) : undefined;
  } catch (error) {
    if (!isA2AError(error)) throw error;
    finish(new Unread(error));
    return held;
  }
  if (unpacking) {
    bytes = unpacking.unpacked;
    bytes.on('error', (error) => finish(new Unread(unpacking?.failure(error) ?? tooLarge(size))));
  }
  bytes.on('data', take);
  bytes.on('end', () => {
    if (size === 0) finish(undefined);
    else finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
  });
  payload.on('close', () => {
    if (!payload.readableEnded) finish(new Truncated(undefined));
  });
  payload.on('error', (error) => finish(new Truncated(error)));
  return held;
}
