import type { ExchangeResponse } from '../../bindings/exchange.ts';
import { retryHeaders } from '../../bindings/http/answer.ts';
import { restStatusFor } from '../../bindings/http/http-refusals.ts';
import { restStatusOf } from '../../bindings/rest/errors.ts';
import { errorStatusDetails } from '../../dialects/error-status.ts';
import { A2AError, type A2AErrorCode, quoted } from '../../model/errors/errors.ts';

/** A failure outside of any agent and binding: no route, a wrong verb, a broken server. */
export function httpError(code: A2AErrorCode, message: string): ExchangeResponse {
  return httpErrorOf(new A2AError(code, message));
}

/** The same for an error that is there: the one of HTTP+JSON in the newest version. */
export function httpErrorOf(error: A2AError): ExchangeResponse {
  const { code, message } = error;
  const { http: status, grpc } = restStatusFor(error, restStatusOf(code, '1.0.1'));
  return {
    status,
    headers: { 'content-type': 'application/json', ...retryHeaders({ code }) },
    body: JSON.stringify({ error: { code: status, status: grpc, message, details: errorStatusDetails(error) } }),
  };
}

export function plainText(status: number, body: string): ExchangeResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-cache' },
    body,
  };
}

export function methodNotAllowed(method: string, allow: string): ExchangeResponse {
  const response = httpError('METHOD_NOT_ALLOWED', `${quoted(method)} is not allowed here; use ${allow}`);
  return { ...response, headers: { ...response.headers, allow } };
}
