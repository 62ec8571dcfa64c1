import { type JsonRpcRequest, parseJsonRpcRequest as parse } from '../bindings/jsonrpc/envelope.ts';
import { errorObjectOf, JsonRpcException } from '../bindings/jsonrpc/error-objects.ts';

/** Reads a JSON-RPC body: one request, or a batch. Throws an error with JSON-RPC's number as its `code`. */
export function parseJsonRpcRequest(body: unknown): JsonRpcRequest | JsonRpcRequest[] {
  try {
    return parse(body);
  } catch (error) {
    throw new JsonRpcException(errorObjectOf(error));
  }
}
