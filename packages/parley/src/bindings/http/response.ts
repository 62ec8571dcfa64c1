import { isPlainObject } from '../../model/basics/json.ts';
import { retryAfterMs } from '../../model/basics/retry-after.ts';
import {
  A2AError,
  type A2AErrorCode,
  type A2AErrorOptions,
  isA2AError,
  quoted,
  shortened,
} from '../../model/errors/errors.ts';
import {
  type ErrorSubject,
  nearestCodeOf,
  operationCodeOf,
  transportCodeOf,
} from '../../model/errors/http-status-codes.ts';
import type { BindingCallerOptions, BindingCallOptions } from '../caller.ts';
import { essence } from './media-type.ts';
import { unreachable } from './unreachable.ts';

export interface Outgoing {
  readonly url: string;
  readonly method: string;
  /** Headers that the binding itself decides on; they win over those of the call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Sends a request. Redirects are not followed here: whoever hands in the `fetch` decides about them. Throws UNREACHABLE
 * where there is no answer, and the signal's reason where it is aborted.
 */
export async function send(
  options: BindingCallerOptions,
  { url, method, headers, body }: Outgoing,
  accept: string,
  call: BindingCallOptions,
): Promise<Response> {
  const { signal } = call;
  signal?.throwIfAborted();
  const init: RequestInit = { method, headers: headersOf({ accept, ...headers }, call), redirect: 'manual' };
  if (body === undefined) (init.headers as Headers).delete('content-type');
  else init.body = textOfBody(body);
  if (signal) init.signal = signal;
  let response: Response;
  try {
    // Browsers refuse a `fetch` that is called as a method of something else.
    const { fetch } = options;
    response = await fetch(url, init);
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(url, error);
  }
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    discard(response);
    throw notA2A(response, '', 'redirects are not followed');
  }
  return response;
}

/** The text of a body; throws INVALID_RESPONSE beyond the limit, without having read more. */
export async function readText(response: Response, limit: number, signal: AbortSignal | undefined): Promise<string> {
  if (response.body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const onAbort = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', onAbort, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  try {
    while (true) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > limit) {
        onAbort();
        throw new A2AError('INVALID_RESPONSE', `The response is larger than the ${limit} bytes that are allowed`, {
          httpStatus: response.status,
        });
      }
      text += decoder.decode(value, { stream: true });
    }
    signal?.throwIfAborted();
    return text + decoder.decode();
  } catch (error) {
    signal?.throwIfAborted();
    if (isA2AError(error)) throw error;
    throw new A2AError('UNREACHABLE', 'The connection was lost within the response', {
      cause: error,
      httpStatus: response.status,
    });
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** A body as JSON; undefined where it is not. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isEventStream(response: Response): boolean {
  return typeOf(response) === 'text/event-stream';
}

/** Gives the connection back without reading what is left. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}

/**
 * An error as the peer told it, with what its HTTP answer adds. Codes that several errors share in the body are told
 * apart by the status (reference: v1-bindings §2).
 *
 * @param byStatus the code of the status, where that is part of the protocol
 */
export function withResponse(error: A2AError, response: Response, byStatus?: A2AErrorCode): A2AError {
  const isInternal = error.code === 'INTERNAL';
  const generic = isInternal || error.code === 'INVALID_REQUEST';
  const unnamed = isInternal && error.reason === undefined;
  const code = (generic && transportCodeOf(response.status)) || (unnamed && byStatus) || error.code;
  return new A2AError(code, error.message, Object.assign({ cause: error.cause }, error, responseFacts(response)));
}

/** An answer that is not A2A, such as a proxy's page; some statuses still say enough. */
export function notA2A(response: Response, text: string, problem: string): A2AError {
  return new A2AError(
    transportCodeOf(response.status) ?? 'INVALID_RESPONSE',
    `${statusText(response)}: ${problem}${excerpt(text)}`,
    responseFacts(response),
  );
}

/**
 * A refusal in words that are not A2A's own: its status is all that programs can go by. `subject`: the request that was
 * refused; undefined where the address itself may be unknown to the server.
 */
export function refusal(response: Response, body: unknown, text: string, subject?: ErrorSubject): A2AError {
  const words = wordsOf(body);
  const message = words ?? `${statusText(response)}${excerpt(text)}`;
  const isOfRoute = NO_SUCH_ROUTE.test(message);
  const code = (!isOfRoute && subject && operationCodeOf(response.status, subject)) || nearestCodeOf(response.status);
  return new A2AError(code, message, responseFacts(response));
}

/** The words of web frameworks for an address without a handler. */
const NO_SUCH_ROUTE = /^(not found|(no )?route|cannot (get|post|put|delete))\b/i;

/** Describes a response that is not JSON, for the error text. */
export function describeType(response: Response, text: string): string {
  if (text.trim() === '') return 'it is empty';
  const type = typeOf(response);
  if (type === '' || type.endsWith('json')) return 'it is not valid JSON';
  return `it is ${quoted(type)} instead of JSON`;
}

export function responseFacts(response: Response): Pick<A2AErrorOptions, 'httpStatus' | 'retryAfter'> {
  return {
    httpStatus: response.status,
    retryAfter: retryAfterMs(response.headers.get('retry-after') ?? '', Date.now()),
  };
}

function headersOf(own: Readonly<Record<string, string>>, call: BindingCallOptions): Headers {
  try {
    const headers = new Headers(call.headers);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    return headers;
  } catch (cause) {
    throw new A2AError('INVALID_PARAMS', 'HTTP cannot carry the headers', {
      cause,
    });
  }
}

function textOfBody(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new A2AError('INVALID_PARAMS', 'JSON cannot carry the request', { cause });
  }
}

function typeOf({ headers }: Response): string {
  return essence(headers.get('content-type') ?? '');
}

function statusText({ status, statusText: words }: Response): string {
  return `The server answered ${status}${words ? ` ${quoted(words)}` : ''}`;
}

const LONGEST_EXCERPT = 200;

function excerpt(text: string): string {
  const words = text
    .slice(0, 4 * LONGEST_EXCERPT)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words === '' ? '' : ` (${shortened(words, LONGEST_EXCERPT)})`;
}

/** The sentence in error bodies of web frameworks. */
function wordsOf(body: unknown): string | undefined {
  if (!isPlainObject(body)) return undefined;
  return [body.message, body.detail, body.error].find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}
