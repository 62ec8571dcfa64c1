import { isPlainObject } from '../../model/basics/json.ts';
import { type A2AError, isA2AError } from '../../model/errors/errors.ts';
import { type JsonRpcId, type JsonRpcRequest, parseEnvelope } from './envelope.ts';
import { errorObjectOf, type JsonRpcError } from './error-objects.ts';

/** A JSON-RPC response: with a result or with an error. */
export interface JsonRpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: JsonRpcId;
  readonly result?: unknown;
  readonly error?: JsonRpcError;
}

export function createSuccessResponse(id: JsonRpcId, result: unknown): JsonRpcResponse {
  return { jsonrpc: '2.0', id, result };
}

/** @param error an error object, such as the factories make, or an A2AError */
export function createErrorResponse(id: JsonRpcId, error: JsonRpcError | A2AError): JsonRpcResponse {
  if (isA2AError(error)) return { jsonrpc: '2.0', id, error: errorObjectOf(error) };
  const { code, message, data } = error;
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** Tells whether a value is one JSON-RPC request. */
export function isValidRequest(request: unknown): request is JsonRpcRequest {
  if (!isPlainObject(request)) return false;
  try {
    parseEnvelope(request);
    return true;
  } catch {
    return false;
  }
}
