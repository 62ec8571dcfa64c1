import type { ExchangeResponse } from '../../bindings/exchange.ts';
import { retryHeaders } from '../../bindings/http/answer.ts';
import { problem } from '../operator/problems.ts';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** Undefined where all is well. */
  readonly problem?: string | undefined;
  /** Something that operators should know, although the server can serve. */
  readonly note?: string | undefined;
}

/** Says that the server lives, or that it is ready. `checks`: for those who want to know what was looked at. */
export function healthOf(status: 'ok' | 'draining', checks?: readonly Check[]): ExchangeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ status, ...(checks && { checks: checks.map(shownCheck) }) }),
  };
}

/** Says that the server is not ready, and why (RFC 9457). */
export function unhealthy(
  detail: string,
  { checks, retryAfter }: { readonly checks?: readonly Check[] | undefined; readonly retryAfter?: number | undefined },
): ExchangeResponse {
  const more = checks && { checks: checks.map(shownCheck) };
  return problem(503, detail, { ...retryHeaders({ code: 'UNAVAILABLE', retryAfter }) }, more);
}

/** Tells whether a probe asks for the single checks: `?verbose`, as Kubernetes has it. */
export function isVerbose(query: URLSearchParams): boolean {
  const value = query.get('verbose');
  return value !== null && value !== 'false' && value !== '0';
}

function shownCheck({ name, problem: message, note }: Check) {
  if (message !== undefined) return { name, status: 'failed', message };
  return note === undefined ? { name, status: 'ok' } : { name, status: 'warning', message: note };
}
