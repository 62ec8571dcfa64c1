import { A2AError } from '../../../model/errors/errors.ts';
import { type ExchangeRequest, header } from '../../exchange.ts';
import { wrongType } from '../http-refusals.ts';
import { essence } from '../media-type.ts';

/**
 * Refuses a body without a type that a web page sent: browsers let a page send such a body to any server, without asking that
 * server first. Programs send neither of the two headers.
 */
export function requireNoPage({ headers }: Pick<ExchangeRequest, 'headers'>, type = 'application/json'): void {
  if (!isOfPage(headers)) return;
  throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `The body must be ${type}, and its Content-Type must say so`);
}

/** Types of forms: browsers let a page send them to any server, too. */
const FORM_TYPES: readonly string[] = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'];

/** The error of a body that a web page may have sent without asking the server first; undefined for all others. */
export function formOfPage({ headers, method }: Pick<ExchangeRequest, 'headers' | 'method'>): A2AError | undefined {
  if (method !== 'POST' || !isOfPage(headers)) return undefined;
  const type = header(headers, 'content-type');
  if (type !== undefined && !FORM_TYPES.includes(essence(type))) return undefined;
  const given = type === undefined ? 'and its Content-Type must say which' : `not ${essence(type)}`;
  return wrongType(`The body must be of a type for which a web page has to ask first, ${given}`);
}

function isOfPage(headers: ExchangeRequest['headers']): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}
