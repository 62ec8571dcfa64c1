import { A2AError } from '../../model/errors/errors.ts';
import { JSONRPC_CODES } from '../../model/errors/jsonrpc-codes.ts';

/** An error as JSON-RPC carries it. */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const { TASK_NOT_FOUND, TASK_NOT_CANCELABLE, PUSH_NOTIFICATION_NOT_SUPPORTED, UNSUPPORTED_OPERATION } = JSONRPC_CODES;
const { CONTENT_TYPE_NOT_SUPPORTED, INVALID_AGENT_RESPONSE, INTERNAL } = JSONRPC_CODES;
const { PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS } = JSONRPC_CODES;

/** The errors of the protocol as objects (S3.2), for programs that write JSON-RPC by themselves. */
export function taskNotFound(taskId: string): JsonRpcError {
  return { code: TASK_NOT_FOUND, message: `Task not found: ${taskId}`, data: { taskId } };
}

export function taskNotCancelable(taskId: string): JsonRpcError {
  return { code: TASK_NOT_CANCELABLE, message: `Task cannot be canceled: ${taskId}`, data: { taskId } };
}

export function pushNotificationsNotSupported(): JsonRpcError {
  return { code: PUSH_NOTIFICATION_NOT_SUPPORTED, message: 'Push notifications are not supported' };
}

export function unsupportedOperation(method: string): JsonRpcError {
  return { code: UNSUPPORTED_OPERATION, message: `Unsupported operation: ${method}`, data: { method } };
}

export function contentTypeNotSupported(type: string): JsonRpcError {
  return { code: CONTENT_TYPE_NOT_SUPPORTED, message: `Content type not supported: ${type}`, data: { type } };
}

export function invalidAgentResponse(detail: string): JsonRpcError {
  return { code: INVALID_AGENT_RESPONSE, message: `Invalid agent response: ${detail}`, data: { detail } };
}

export function parseError(): JsonRpcError {
  return { code: PARSE_ERROR, message: 'Invalid JSON payload' };
}

export function invalidRequest(): JsonRpcError {
  return { code: INVALID_REQUEST, message: 'Request payload validation error' };
}

export function methodNotFound(method: string): JsonRpcError {
  return { code: METHOD_NOT_FOUND, message: `Method not found: ${method}`, data: { method } };
}

export function invalidParams(detail: string): JsonRpcError {
  return { code: INVALID_PARAMS, message: `Invalid parameters: ${detail}`, data: { detail } };
}

export function internalError(detail: string): JsonRpcError {
  return { code: INTERNAL, message: `Internal error: ${detail}`, data: { detail } };
}

/** Anything that was thrown, as an error object. The text of an unexpected failure stays here. */
export function errorObjectOf(error: unknown): JsonRpcError {
  if (error instanceof JsonRpcException) return error.toJSON();
  const { code, message, metadata, violations } = A2AError.from(error);
  const data = { ...metadata, ...(violations.length > 0 && { fieldViolations: violations }) };
  return { code: JSONRPC_CODES[code], message, ...(Object.keys(data).length > 0 && { data }) };
}

/** An error object that can be thrown. */
export class JsonRpcException extends Error implements JsonRpcError {
  readonly code: number;
  declare readonly data?: unknown;

  constructor({ code, message, data }: JsonRpcError) {
    super(message);
    this.name = 'JsonRpcException';
    this.code = code;
    if (data !== undefined) this.data = data;
  }

  toJSON(): JsonRpcError {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}
