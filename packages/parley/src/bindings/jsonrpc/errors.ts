import type { WireErrorCode } from '../../model/errors.ts';

/** JSON-RPC errors travel with HTTP 200; refusals of the transport keep their status. */
const HTTP_STATUS: Partial<Readonly<Record<WireErrorCode, number>>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  OVERLOADED: 429,
  UNAVAILABLE: 503,
};

export function httpStatusOf(code: WireErrorCode): number {
  return HTTP_STATUS[code] ?? 200;
}
