import { OFFERED_DIALECTS } from '../../dialects/detect.ts';
import type { Dialect, ErrorCircumstances, RpcError } from '../../dialects/dialect.ts';
import { isProtocolError, type WireError } from '../../model/errors/errors.ts';
import { JSONRPC_CODES } from '../../model/errors/jsonrpc-codes.ts';
import type { OperationName } from '../../model/operations.ts';
import { refusalStatusOf } from '../http/early-errors.ts';
import { ownStatusOf } from '../http/http-refusals.ts';

/** Errors that come before any dialect is known have the shape of the newest one. */
export const NEWEST = OFFERED_DIALECTS[0] as Dialect;

/**
 * The HTTP status of an error. JSON-RPC errors travel with 200, refusals by HTTP keep their status (reference:
 * v1-bindings §4.1). A body of another type than JSON is refused before any operation is known; parts of a type that an
 * agent does not take are an error of the operation.
 */
export function httpStatusOf(error: WireError, dialect: Dialect, operation: OperationName | undefined): number {
  const own = ownStatusOf(error) ?? dialect.quirks?.rpcStatus?.(error, operation);
  if (own !== undefined) return own;
  if (error.code === 'CONTENT_TYPE_NOT_SUPPORTED' && operation === undefined) return UNSUPPORTED_MEDIA_TYPE;
  return refusalStatusOf(error.code) ?? 200;
}

const UNSUPPORTED_MEDIA_TYPE = 415;

/**
 * The error object: in the dialect's own numbers where it has some, else in those of the protocol. Undefined for a dialect that
 * nothing tells: that of the newest version, and no data but with the errors that the protocol wants it for, since clients of
 * 0.3 lose an error over data that they do not expect (reference: v03 §5).
 */
export function rpcErrorOf(error: WireError, known: Dialect | undefined, about: ErrorCircumstances): RpcError {
  const dialect = known ?? NEWEST;
  const own = dialect.quirks?.rpcError?.(error, about);
  if (own) return own;
  if (!known && !isProtocolError(error.code)) return { code: JSONRPC_CODES[error.code], message: error.message };
  return { code: JSONRPC_CODES[error.code], message: error.message, data: dialect.errorDetails(error) };
}
