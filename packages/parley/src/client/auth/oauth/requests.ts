import { discard, parseJson, readText } from '../../../bindings/http/response.ts';
import { isPlainObject, type JsonObject } from '../../../model/basics/json.ts';
import { A2AError, isA2AError } from '../../../model/errors/errors.ts';

/** The largest answer of an authorization server that is read. */
const LARGEST_ANSWER_BYTES = 2 ** 18;
/** The longest wait for one answer, from the first byte to the last. */
const LONGEST_ANSWER_MS = 30_000;

/** The means to reach authorization servers. */
export interface Requests {
  readonly fetch: typeof fetch;
  /** Ends what is under way. */
  readonly signal: AbortSignal | undefined;
}

interface Answer {
  readonly status: number;
  /** Undefined where it is no JSON object. */
  readonly body: JsonObject | undefined;
}

/** Gets a document. A redirect is an answer without one. */
export function getJson(url: URL, requests: Requests): Promise<Answer> {
  return ask(url, { method: 'GET', headers: { accept: 'application/json' } }, requests);
}

/** Posts a form. */
export function postForm(
  url: URL,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  requests: Requests,
): Promise<Answer> {
  const body = new URLSearchParams(form);
  return ask(url, { method: 'POST', headers: { accept: 'application/json', ...headers }, body }, requests);
}

/** Never follows a redirect: it would carry secrets elsewhere, or let another server speak for this one. */
async function ask(url: URL, init: RequestInit, { fetch: send, signal: outer }: Requests): Promise<Answer> {
  const limit = AbortSignal.timeout(LONGEST_ANSWER_MS);
  const signal = outer ? AbortSignal.any([outer, limit]) : limit;
  try {
    const response = await send(url.href, { ...init, redirect: 'manual', signal });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      discard(response);
      if (init.method === 'GET') return { status: response.status, body: undefined };
      throw new A2AError(
        'INVALID_RESPONSE',
        `${url.origin} redirects, which is not followed where tokens are concerned`,
      );
    }
    const body = parseJson(await readText(response, LARGEST_ANSWER_BYTES, signal));
    return { status: response.status, body: isPlainObject(body) ? (body as JsonObject) : undefined };
  } catch (cause) {
    outer?.throwIfAborted();
    if (limit.aborted) {
      throw new A2AError('TIMEOUT', `${url.origin} did not respond within ${LONGEST_ANSWER_MS} ms`, { cause });
    }
    if (isA2AError(cause)) {
      throw new A2AError(cause.code, `${url.origin}: ${cause.message}`, { cause, httpStatus: cause.httpStatus });
    }
    throw new A2AError('UNREACHABLE', `No connection to ${url.origin}`, { cause });
  }
}

const LONGEST_DESCRIPTION = 200;

/** The reason with which an authorization server refuses a request (RFC 6749 §5.2), on one line. */
export function refusalOf(url: URL, { status, body }: Answer): A2AError {
  const code = typeof body?.error === 'string' ? plainText(body.error) : `status ${status}`;
  const description = typeof body?.error_description === 'string' ? `: ${plainText(body.error_description)}` : '';
  return new A2AError('UNAUTHENTICATED', `${url.origin} gives no token: ${code}${description}`, {
    reason: typeof body?.error === 'string' ? code : undefined,
    httpStatus: status,
  });
}

/** Servers may write anything; control characters have no place in a message. */
export function plainText(text: string): string {
  return text.slice(0, LONGEST_DESCRIPTION).replace(/\p{Cc}+/gu, ' ');
}
