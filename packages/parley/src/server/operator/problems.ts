import type { ExchangeResponse } from '../../bindings/exchange.ts';
import { retryHeaders } from '../../bindings/http/answer.ts';
import { restStatusFor } from '../../bindings/http/http-refusals.ts';
import { restStatusOf } from '../../bindings/rest/errors.ts';
import type { A2AError } from '../../model/errors/errors.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** A refusal of a route for operators (RFC 9457). `more`: members beside those of the standard. */
export function problem(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
  more?: Readonly<Record<string, unknown>>,
): ExchangeResponse {
  const body = { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, ...more };
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'private, no-store', ...headers },
    body: JSON.stringify(body),
  };
}

export function problemOf(error: A2AError): ExchangeResponse {
  const { http } = restStatusFor(error, restStatusOf(error.code, '1.0.1'));
  return { ...problem(http, error.message, retryHeaders(error)), error };
}
