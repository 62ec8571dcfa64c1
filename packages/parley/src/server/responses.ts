import type { ExchangeResponse } from '../bindings/exchange.ts';

/** A failure outside of any binding: no route, a wrong verb, a broken server. */
export function httpError(status: number, code: string, message: string): ExchangeResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code: status, status: code, message } }),
  };
}

export function plainText(status: number, body: string): ExchangeResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
