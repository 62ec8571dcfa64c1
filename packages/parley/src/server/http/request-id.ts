import { type ExchangeRequest, header } from '../../bindings/exchange.ts';

/** Ids that a log can hold on one line: others could look like another entry. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The name that a proxy or the client has for a request; undefined where it has none that can be used. */
export function requestIdOf({ headers }: Pick<ExchangeRequest, 'headers'>): string | undefined {
  const id = header(headers, 'x-request-id');
  return id !== undefined && REQUEST_ID.test(id) ? id : undefined;
}
