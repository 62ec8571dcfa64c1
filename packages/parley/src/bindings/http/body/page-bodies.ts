import { A2AError } from '../../../model/errors/errors.ts';
import type { ExchangeRequest } from '../../exchange.ts';

/**
 * Refuses a body without a type that a web page sent: browsers let a page send such a body to any server, without asking that
 * server first. Programs send neither of the two headers.
 */
export function requireNoPage({ headers }: Pick<ExchangeRequest, 'headers'>, type = 'application/json'): void {
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined) return;
  throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `The body must be ${type}, and its Content-Type must say so`);
}
