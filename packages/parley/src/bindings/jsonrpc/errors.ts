import type { Dialect, ErrorCircumstances, RpcError } from '../../dialects/dialect.ts';
import type { WireError } from '../../model/errors/errors.ts';
import { JSONRPC_CODES } from '../../model/errors/jsonrpc-codes.ts';
import type { OperationName } from '../../model/operations.ts';
import { refusalStatusOf } from '../http/early-errors.ts';
import { ownStatusOf } from '../http/http-refusals.ts';

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

/** The error object: in the dialect's own numbers where it has some, else in those of the protocol. */
export function rpcErrorOf(error: WireError, dialect: Dialect, about: ErrorCircumstances): RpcError {
  const own = dialect.quirks?.rpcError?.(error, about);
  if (own) return own;
  return { code: JSONRPC_CODES[error.code], message: error.message, data: dialect.errorDetails(error) };
}
