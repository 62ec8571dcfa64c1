import {
  Consumed,
  type ExchangeRequest,
  type ExchangeResponse,
  Oversized,
  type ResponseStream,
  Truncated,
} from '../bindings/exchange.ts';
import type { Caller } from '../model/call.ts';
import type { ServerCore } from '../server/http/core.ts';
import { belowPrefix } from '../server/http/paths.ts';
import { httpError } from '../server/http/responses.ts';

/** What is behind a `fetch`. */
export type FetchedCore = Pick<ServerCore, 'limits' | 'handle'>;

export interface FetchedCall {
  /** The caller, where that is known and needs no proof. */
  readonly caller?: Caller | undefined;
  /** Path and query below the prefix. Default: those of the request. */
  readonly url?: string | undefined;
  readonly prefix?: string | undefined;
  /** See `Peer`; asked for only where it is needed. Default: false. */
  readonly isLocal?: (() => boolean) | undefined;
  /** Default: that of the request's URL. */
  readonly protocol?: 'http' | 'https' | undefined;
  /** What somebody else has already read of the request; the request is then not read. */
  readonly body?: unknown;
}

/** A web `Request` in, a web `Response` out: Bun, Deno, Workers, and calls without a socket. */
export async function handleFetch(core: FetchedCore, request: Request, call: FetchedCall = {}): Promise<Response> {
  const { host, protocol } = new URL(request.url);
  const exchange: ExchangeRequest = {
    method: request.method,
    url: call.url ?? urlOf(request),
    prefix: call.prefix,
    headers: { host, ...Object.fromEntries(request.headers) },
    body: 'body' in call ? call.body : await readBody(request, core.limits.bodyBytes),
    peer: {
      protocol: call.protocol ?? (protocol === 'https:' ? 'https' : 'http'),
      get isLocal() {
        return call.isLocal?.();
      },
    },
    caller: call.caller,
    get signal() {
      return request.signal;
    },
  };
  return toResponse(await core.handle(exchange), request);
}

/** For a server that is mounted where the requests' paths begin with `mount`. Nothing is found outside of it. */
export async function handleMounted(
  core: FetchedCore,
  request: Request,
  mount: string,
  call: Pick<FetchedCall, 'prefix' | 'protocol' | 'isLocal'> = {},
): Promise<Response> {
  const url = belowPrefix(urlOf(request), mount);
  if (url === undefined) return toResponse(httpError('NOT_FOUND', `Nothing is served outside of ${mount}`), request);
  return handleFetch(core, request, { prefix: mount, ...call, url });
}

/** Path and query. */
export function urlOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
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

/** What is beyond the limit stays unread: a stream that is canceled takes the connection with it, and the answer too. */
async function readBody(request: Request, limit: number): Promise<unknown> {
  if (!request.body) return undefined;
  if (request.bodyUsed) return new Consumed();
  const announced = Number(request.headers.get('content-length') ?? 0);
  // Not even worth to be read away.
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
 * Reads on for a while without keeping anything: servers cut a connection whose request was not read, and who is still
 * sending then never reads why it was refused.
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
