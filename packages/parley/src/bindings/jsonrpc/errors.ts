import type { Dialect, ErrorCircumstances, RpcError } from '../../dialects/dialect.ts';
import type { WireError, WireErrorCode } from '../../model/errors.ts';
import { JSONRPC_CODES } from '../../model/jsonrpc-codes.ts';

/** JSON-RPC errors travel with HTTP 200; refusals of the transport keep their status. */
const HTTP_STATUS: Partial<Readonly<Record<WireErrorCode, number>>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  OVERLOADED: 429,
  UNAVAILABLE: 503,
};

export function httpStatusOf(code: WireErrorCode): number {
  return HTTP_STATUS[code] ?? 200;
}

/** The error object: in the dialect's own numbers where it has some, else in those of the protocol. */
export function rpcErrorOf(error: WireError, dialect: Dialect, about: ErrorCircumstances): RpcError {
  const own = dialect.own?.rpcError?.(error, about);
  if (own) return own;
  return { code: JSONRPC_CODES[error.code], message: error.message, data: dialect.errorDetails(error) };
}
