import { Consumed, Oversized, Truncated } from '../bindings/exchange.ts';

/** Reads the bytes of a web request. A body beyond the limit is not canceled: that would take the connection, and the response, with it. */
export async function readWebBody(request: Request, limit: number): Promise<unknown> {
  if (!request.body) return undefined;
  if (request.bodyUsed) return new Consumed();
  const announced = Number(request.headers.get('content-length') ?? 0);
  // Too large to drain.
  if (announced > limit + MOST_DISCARDED) return new Oversized(limit);
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let size = announced > limit ? announced : 0;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      size += step.value.length;
      if (size > limit) {
        await discard(reader);
        return new Oversized(limit);
      }
      chunks.push(step.value);
    }
  } catch (error) {
    return new Truncated(error);
  } finally {
    reader.releaseLock();
  }
  return size === 0 ? undefined : joined(chunks, size);
}

const MOST_DISCARDED = 1024 * 1024;

/**
 * Reads on for a while without keeping anything: servers cut a connection whose request was not read, and a client that
 * is still sending would never read why it was refused.
 */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
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
