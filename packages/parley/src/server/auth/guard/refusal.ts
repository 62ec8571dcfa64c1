import type { ExchangeResponse } from '../../../bindings/exchange.ts';
import type { A2AError } from '../../../model/errors/errors.ts';

/** Ends the way of a request before it is handled. */
export class Refusal extends Error {
  readonly error: A2AError;
  /** The `WWW-Authenticate`, where it is a matter of credentials. */
  readonly challenge: string | undefined;

  constructor(error: A2AError, challenge?: string) {
    super(error.message);
    this.error = error;
    this.challenge = challenge;
  }
}

/** Adds the `WWW-Authenticate` to a response that has none. */
export function challenged(response: ExchangeResponse, challenge: string): ExchangeResponse {
  if (response.headers['www-authenticate'] !== undefined) return response;
  return { ...response, headers: { ...response.headers, 'www-authenticate': challenge } };
}
