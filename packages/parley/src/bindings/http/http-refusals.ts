import type { RestStatus } from '../../dialects/dialect.ts';
import { A2AError } from '../../model/errors/errors.ts';

/** Refusals for which HTTP has a status of its own, and A2A no code. */
const STATUSES = { host: 421, page: 403, request: 400, encoding: 415, type: 415, slow: 408, headers: 431 } as const;

type HttpRefusal = keyof typeof STATUSES;

/** The HTTP status of a refusal that was made here; undefined for all other errors. */
export function ownStatusOf({ metadata }: Pick<A2AError, 'metadata'>): number | undefined {
  const { httpRefusal } = metadata;
  return httpRefusal !== undefined && Object.hasOwn(STATUSES, httpRefusal)
    ? STATUSES[httpRefusal as HttpRefusal]
    : undefined;
}

/** The status of an error over HTTP+JSON: `usual`, but for refusals that were made here. */
export function restStatusFor(error: Pick<A2AError, 'metadata'>, usual: RestStatus): RestStatus {
  const http = ownStatusOf(error);
  if (http === undefined) return usual;
  return { http, grpc: http === STATUSES.host || http === STATUSES.page ? 'PERMISSION_DENIED' : usual.grpc };
}

function refusal(kind: HttpRefusal, code: A2AError['code'], message: string): A2AError {
  return new A2AError(code, message, { metadata: { httpRefusal: kind } });
}

/** The request names a host that is not the server's (RFC 9110 §15.5.20). */
export function misdirected(message: string): A2AError {
  return refusal('host', 'INVALID_REQUEST', message);
}

/** A web page of another site sent the request. JSON-RPC has no number for it but that of a request which must not be. */
export function foreignPage(message: string): A2AError {
  return refusal('page', 'INVALID_REQUEST', message);
}

/** The body is packed in a way that the server cannot unpack (RFC 9110 §15.5.16). */
export function unknownEncoding(message: string): A2AError {
  return refusal('encoding', 'CONTENT_TYPE_NOT_SUPPORTED', message);
}

/** The body is of a type that may not be sent there (RFC 9110 §15.5.16). */
export function wrongType(message: string): A2AError {
  return refusal('type', 'CONTENT_TYPE_NOT_SUPPORTED', message);
}

/** The body did not come in time (RFC 9110 §15.5.9). */
export function tooSlow(message: string): A2AError {
  return refusal('slow', 'UNAVAILABLE', message);
}

/** HTTP does not allow the request, e.g. one with two hosts (RFC 9112 §3.2). */
export function unreadableRequest(message: string): A2AError {
  return refusal('request', 'INVALID_REQUEST', message);
}

/** The request has too many headers, or too large ones (RFC 6585 §5). */
export function oversizedHeaders(message: string): A2AError {
  return refusal('headers', 'INVALID_REQUEST', message);
}
