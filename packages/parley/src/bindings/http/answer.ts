import type { Dialect } from '../../dialects/dialect.ts';
import type { A2AError } from '../../model/errors/errors.ts';
import { type ExchangeRequest, header, type ResponseHeaders } from '../exchange.ts';

/** The facts that shape the response to one request. */
export interface Answer {
  dialect: Dialect;
  /** The reason for this dialect; clients see it with `X-Parley-Debug`. */
  reason: string;
  /** The active extensions. */
  extensions: readonly string[];
  /** It is the answer to an earlier send with the same idempotency key. */
  isReplayed?: boolean | undefined;
}

/** Returns the headers of every response: the version spoken, the active extensions, and the detection on request. */
export function answerHeaders(base: ResponseHeaders, answer: Answer, request: ExchangeRequest): ResponseHeaders {
  const { dialect, extensions, reason, isReplayed } = answer;
  const headers: Record<string, string> = {
    ...base,
    ...dialect.answerHeaders,
    'a2a-protocol-version': dialect.version,
  };
  if (extensions.length > 0) headers[dialect.extensionsHeader] = extensions.join(', ');
  if (isReplayed) headers['idempotent-replayed'] = 'true';
  if (header(request.headers, 'x-parley-debug') !== undefined)
    headers['x-parley-dialect'] = `${dialect.name}; ${reason}`;
  return headers;
}

/** Temporary refusals say when to come back, in whole seconds: clients who wait this long are not early. */
export function retryHeaders({ code, retryAfter = 0 }: Pick<A2AError, 'code' | 'retryAfter'>): ResponseHeaders {
  if (code !== 'OVERLOADED' && code !== 'UNAVAILABLE') return {};
  return { 'retry-after': String(Math.max(1, Math.ceil(retryAfter / 1000))) };
}

/** The version that a request names in its header and in its query. Names of service parameters have no case. */
export function versionSigns(
  request: ExchangeRequest,
  query: URLSearchParams,
): { readonly headerVersion: string | undefined; readonly queryVersion: string | undefined } {
  const named = query.size === 0 ? undefined : [...query].find(([name]) => name.toLowerCase() === 'a2a-version');
  return { headerVersion: header(request.headers, 'a2a-version'), queryVersion: named?.[1] };
}
