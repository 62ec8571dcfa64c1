import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Consumed, Truncated, Unread } from '../../bindings/exchange.ts';
import { type HeldBodies, type HeldBody, SMALL_BODY, tooLarge } from '../../server/http/held/held-bodies.ts';
import { BodyReading } from './node-body-reading.ts';

/** The source of a request's body. */
interface BodySource {
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
  // A request that broke off before a listener was there fires no more.
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
  return new BodyReading({ incoming, payload, bodies, most, done }).held;
}
