import {
  type ExchangeRequest,
  type ExchangeResponse,
  Oversized,
  type ResponseStream,
  Truncated,
} from '../bindings/exchange.ts';
import type { ServerCore } from '../server/core.ts';

/** What is behind a `fetch`. */
export type FetchedCore = Pick<ServerCore, 'limits' | 'handle'>;

/**
 * A web `Request` in, a web `Response` out: Bun, Deno, Workers, and calls without a socket. `subject`: who calls, where
 * that is known and needs no proof.
 */
export async function handleFetch(core: FetchedCore, request: Request, subject?: string): Promise<Response> {
  const url = new URL(request.url);
  const body = await readBody(request, core.limits.bodyBytes);
  const exchange: ExchangeRequest = {
    method: request.method,
    url: url.pathname + url.search,
    headers: { host: url.host, ...Object.fromEntries(request.headers) },
    body,
    peer: { protocol: url.protocol === 'https:' ? 'https' : 'http' },
    subject,
  };
  return toResponse(await core.handle(exchange), request);
}

function toResponse({ status, headers, body }: ExchangeResponse, request: Request): Response {
  const init = { status, headers: { ...headers } };
  if (typeof body === 'object' && request.method === 'HEAD') body.close();
  else if (typeof body === 'object') return new Response(toReadable(body, request.signal), init);
  return new Response(typeof body !== 'string' || request.method === 'HEAD' ? null : body, init);
}

/** Pulls as fast as the reader reads; a reader that cancels, or a request that is aborted, frees the stream at once. */
function toReadable(body: ResponseStream, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const free = () => body.close();
  // A request that was given up while it was served fires no more.
  if (signal.aborted) free();
  signal.addEventListener('abort', free, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await readable(body);
        if (text !== undefined) {
          controller.enqueue(typeof text === 'string' ? encoder.encode(text) : text.slice());
          return;
        }
        signal.removeEventListener('abort', free);
        controller.close();
      },
      cancel: free,
    },
    { highWaterMark: 0 },
  );
}

/** The next text, as soon as there is one. */
async function readable(body: ResponseStream): Promise<string | Uint8Array | undefined> {
  for (;;) {
    const text = body.read();
    if (text !== '') return text;
    await new Promise<void>((resolve) => body.whenReadable(resolve));
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined | Oversized | Truncated> {
  if (!request.body) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.length;
      if (size > limit) return new Oversized(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    return new Truncated(error);
  }
  return size === 0 ? undefined : joined(chunks, size);
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
