import type { Dialect } from '../../dialects/dialect.ts';
import { type A2AError, type WireErrorCode, wireCode } from '../../model/errors/errors.ts';
import { isStreamOperation, type OperationName } from '../../model/operations.ts';
import { type ExchangeRequest, header } from '../exchange.ts';
import { ownStatusOf } from './http-refusals.ts';
import { acceptsOnlyStreams } from './media-type.ts';

/** Refusals that are HTTP's own, whatever the body says: they keep their status in every binding. */
const REFUSALS: Partial<Readonly<Record<WireErrorCode, number>>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  OVERLOADED: 429,
  UNAVAILABLE: 503,
};

/**
 * Returns the HTTP status of a refusal that is HTTP's own, such as 401; undefined for an error of an operation. An error tells
 * more than its code: a host that is not the server's (421), a page of another site (403), a body that is too slow (408).
 */
export function refusalStatusOf(error: Pick<A2AError, 'code' | 'metadata'> | WireErrorCode): number | undefined {
  if (typeof error === 'string') return REFUSALS[error];
  return ownStatusOf(error) ?? REFUSALS[wireCode(error.code)];
}

/**
 * Tells whether an error before the first event is the only event of a stream instead of a JSON response. Clients of some SDKs
 * pass over JSON where they asked for a stream, and end without event or error (reference: v03 §4, v1-bindings §4.4). An
 * error before the operation is known follows `Accept`, which is then all that tells a stream was wanted.
 */
export function isErrorInStream(
  { errorsInStream }: Dialect,
  operation: OperationName | undefined,
  request: ExchangeRequest,
): boolean {
  const accepts = () => acceptsOnlyStreams(header(request.headers, 'accept'));
  if (operation === undefined) {
    return (errorsInStream === 'accepted' || errorsInStream.has('sendStreamingMessage')) && accepts();
  }
  if (errorsInStream !== 'accepted') return errorsInStream.has(operation);
  return isStreamOperation(operation) && accepts();
}
