/** What an error is called in each binding (reference: v1-bindings §2; 0.3 has the same JSON-RPC codes, v03 §5). */
export interface ErrorNumbers {
  readonly rpc: number;
  /** Of the JSON-RPC answer: errors travel with 200, refusals of the transport keep their status. */
  readonly rpcStatus: number;
  /** Of the REST answer. */
  readonly http: number;
  readonly grpc: string;
}

export const ERRORS = {
  PARSE_ERROR: { rpc: -32700, rpcStatus: 200, http: 400, grpc: 'INVALID_ARGUMENT' },
  INVALID_REQUEST: { rpc: -32600, rpcStatus: 200, http: 400, grpc: 'INVALID_ARGUMENT' },
  METHOD_NOT_FOUND: { rpc: -32601, rpcStatus: 200, http: 404, grpc: 'UNIMPLEMENTED' },
  INVALID_PARAMS: { rpc: -32602, rpcStatus: 200, http: 400, grpc: 'INVALID_ARGUMENT' },
  TASK_NOT_FOUND: { rpc: -32001, rpcStatus: 200, http: 404, grpc: 'NOT_FOUND' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { rpc: -32003, rpcStatus: 200, http: 400, grpc: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { rpc: -32005, rpcStatus: 415, http: 400, grpc: 'INVALID_ARGUMENT' },
  VERSION_NOT_SUPPORTED: { rpc: -32009, rpcStatus: 200, http: 400, grpc: 'FAILED_PRECONDITION' },
  PAYLOAD_TOO_LARGE: { rpc: -32600, rpcStatus: 413, http: 413, grpc: 'INVALID_ARGUMENT' },
} as const satisfies Record<string, ErrorNumbers>;

export type ErrorName = keyof typeof ERRORS;

/** The names that `status` of a REST error may have. */
export const GRPC_NAMES: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
]);
