import { Consumed, Truncated, Unread } from '../../bindings/exchange.ts';
import { bombIn, notPacked, packingOf } from '../../bindings/http/body/content-encoding.ts';
import { type A2AError, isA2AError } from '../../model/errors/errors.ts';
import { type HeldBodies, type HeldBody, SMALL_BODY, tooLarge } from '../../server/http/held/held-bodies.ts';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;
type BytesReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** The length that a web request announces; undefined where it does not say it. */
function announcedLength(request: Request): number | undefined {
  const length = request.headers.get('content-length');
  return length === null ? undefined : Number(length);
}

export function isLargeWebBody(request: Request): boolean {
  if (!request.body) return false;
  const announced = announcedLength(request);
  return announced === undefined || announced > SMALL_BODY || request.headers.has('content-encoding');
}

/**
 * Reads the bytes of a web request and calls back with them, or with what stands for them. A body beyond the limit is not
 * canceled: that would take the connection, and the response, with it. Returns what it holds; undefined where nothing is read.
 */
export function readWebBody(
  request: Request,
  bodies: HeldBodies,
  most: number | undefined,
  done: (body: unknown) => void,
): HeldBody | undefined {
  if (!request.body || request.bodyUsed) {
    done(request.body ? new Consumed() : undefined);
    return undefined;
  }
  const body = request.body as Bytes;
  let isOver = false;
  const finish = (found: unknown) => {
    if (isOver) return;
    isOver = true;
    if (found instanceof Unread) held.release();
    else held.arrived();
    done(found);
  };
  const held = bodies.beginAlone(most, (reason) => finish(new Unread(reason)));
  const announced = announcedLength(request) ?? 0;
  const early = announced > held.limit ? tooLarge(held.limit) : undefined;
  // Too large to drain.
  if (early && announced > held.limit + MOST_DISCARDED) finish(new Unread(early));
  else void readAll(request, body, held, early).then(finish, (error: unknown) => finish(new Truncated(error)));
  return held;
}

async function readAll(request: Request, body: Bytes, held: HeldBody, early: A2AError | undefined): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let source: Unpacked;
  try {
    source = unpacked(request, body);
  } catch (error) {
    if (isA2AError(error)) return new Unread(error);
    throw error;
  }
  const reader = source.bytes.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      size += step.value.length;
      const reason = early ?? held.grow(size) ?? bombIn(size, source.packed() ?? size);
      if (reason) {
        await discard(reader);
        return new Unread(reason);
      }
      chunks.push(step.value);
    }
  } catch (error) {
    return source.encoding === undefined ? new Truncated(error) : new Unread(notPacked(source.encoding, error));
  } finally {
    reader.releaseLock();
  }
  return size === 0 ? undefined : joined(chunks, size);
}

interface Unpacked {
  readonly bytes: Bytes;
  readonly encoding?: string | undefined;
  /** The bytes that came so far, where they are others than those that are read. */
  readonly packed: () => number | undefined;
}

/** Throws the refusal of an encoding that is not known. */
function unpacked(request: Request, body: Bytes): Unpacked {
  const encoding = packingOf(request.headers.get('content-encoding') ?? undefined, ['gzip', 'deflate'] as const);
  if (encoding === undefined) return { bytes: body, packed: () => undefined };
  let packed = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      packed += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const bytes = body.pipeThrough(counting).pipeThrough(new DecompressionStream(encoding));
  return { bytes, encoding, packed: () => packed };
}

const MOST_DISCARDED = 1024 * 1024;

/**
 * Reads on for a while without keeping anything: servers cut a connection whose request was not read, and a client that
 * is still sending would never read why it was refused.
 */
async function discard(reader: BytesReader): Promise<void> {
  let size = 0;
  for (let step = await reader.read(); !step.done && size < MOST_DISCARDED; step = await reader.read()) {
    size += step.value.length;
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
