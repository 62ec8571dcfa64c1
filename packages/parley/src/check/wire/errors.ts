import { type GrpcCode, grpcNameOf } from '../grpc/codes.ts';
import { isObject, listAt, memberOf, numberAt, textAt } from './json.ts';

/** The errors of the protocol by the reason of their ErrorInfo (reference: v1-bindings §2). */
export const A2A_ERRORS = {
  TASK_NOT_FOUND: { code: -32001, http: 404, grpc: 'NOT_FOUND' },
  TASK_NOT_CANCELABLE: { code: -32002, http: 400, grpc: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, http: 400, grpc: 'FAILED_PRECONDITION' },
  UNSUPPORTED_OPERATION: { code: -32004, http: 400, grpc: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32005, http: 400, grpc: 'INVALID_ARGUMENT' },
  INVALID_AGENT_RESPONSE: { code: -32006, http: 500, grpc: 'INTERNAL' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { code: -32007, http: 400, grpc: 'FAILED_PRECONDITION' },
  EXTENSION_SUPPORT_REQUIRED: { code: -32008, http: 400, grpc: 'FAILED_PRECONDITION' },
  VERSION_NOT_SUPPORTED: { code: -32009, http: 400, grpc: 'FAILED_PRECONDITION' },
} as const satisfies Record<string, { readonly code: number; readonly http: number; readonly grpc: GrpcCode }>;

export type A2AReason = keyof typeof A2A_ERRORS;

/** The errors of JSON-RPC itself. */
const RPC_ERRORS = {
  PARSE: { code: -32700, http: 400, grpc: 'INVALID_ARGUMENT' },
  INVALID_REQUEST: { code: -32600, http: 400, grpc: 'INVALID_ARGUMENT' },
  METHOD_NOT_FOUND: { code: -32601, http: 404, grpc: 'UNIMPLEMENTED' },
  INVALID_PARAMS: { code: -32602, http: 400, grpc: 'INVALID_ARGUMENT' },
  INTERNAL: { code: -32603, http: 500, grpc: 'INTERNAL' },
} as const;

export type Mistake = A2AReason | keyof typeof RPC_ERRORS;

export const DOMAIN = 'a2a-protocol.org';
export const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
export const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

/** An error as it stands in a response. */
export interface WireError {
  /** JSON-RPC's; over HTTP+JSON only 0.3 may have one. */
  readonly code?: number | undefined;
  readonly message?: string | undefined;
  /** The HTTP status of the response; over gRPC the one that says the same. */
  readonly status: number;
  /** The name of the status of gRPC, where the call went over that. */
  readonly grpc?: GrpcCode | undefined;
  /** `error.data` or `error.details`, whatever it is. */
  readonly details: unknown;
  /** The error object itself. */
  readonly body: unknown;
}

export function isReason(reason: unknown): reason is A2AReason {
  return typeof reason === 'string' && Object.hasOwn(A2A_ERRORS, reason);
}

export function detailOf(error: WireError, type: string): unknown {
  const details = Array.isArray(error.details) ? error.details : [];
  return details.find((detail) => textAt(detail, '@type') === type);
}

/** The reason of the ErrorInfo, where there is one. */
export function reasonOf(error: WireError): string | undefined {
  return textAt(detailOf(error, ERROR_INFO), 'reason');
}

/**
 * Decides whether an error is the one that a rule asks for. The reason of the ErrorInfo decides, then the code of JSON-RPC,
 * then the HTTP status: whether those agree with each other is the business of other rules.
 */
export function isError(error: WireError, expected: Mistake): boolean {
  const reason = reasonOf(error);
  if (isReason(reason)) return reason === expected;
  if (error.code !== undefined) return error.code === knownError(expected).code;
  const hasFields = detailOf(error, BAD_REQUEST) !== undefined;
  if (hasFields) return expected === 'INVALID_PARAMS' || expected === 'INVALID_REQUEST';
  if (error.grpc !== undefined) return error.grpc === knownError(expected).grpc;
  return error.status === knownError(expected).http;
}

function knownError(mistake: Mistake): { readonly code: number; readonly http: number; readonly grpc: GrpcCode } {
  return { ...A2A_ERRORS, ...RPC_ERRORS }[mistake];
}

/** The text of an error, for people. */
export function nameOf(error: WireError): string {
  const reason = reasonOf(error);
  const status = error.grpc ?? `HTTP ${error.status}`;
  const code = error.code === undefined ? status : String(error.code);
  return reason === undefined ? code : `${code} ${reason}`;
}

/** Reads the error of a JSON-RPC response. */
export function rpcError(body: unknown, status: number): WireError | undefined {
  const error = memberOf(body, 'error');
  if (error === undefined || error === null) return undefined;
  return {
    code: numberAt(error, 'code'),
    message: textAt(error, 'message'),
    status,
    details: memberOf(error, 'data'),
    body: error,
  };
}

/** Reads the error of an HTTP+JSON response, in the form of 1.0 or in one of those in use for 0.3. */
export function restError(body: unknown, status: number): WireError {
  const error = memberOf(body, 'error');
  const inner = isObject(error) ? error : undefined;
  const outerCode = numberAt(body, 'code');
  return {
    code: outerCode !== undefined && outerCode < 0 ? outerCode : undefined,
    message: textAt(inner, 'message') ?? textAt(body, 'message'),
    status,
    details: listAt(inner, 'details') ?? memberOf(inner, 'details'),
    body: error ?? body,
  };
}

/** Reads the status of a call over gRPC, in the JSON of `google.rpc.Status`. */
export function grpcError(body: unknown, code: number, status: number): WireError {
  return {
    code: undefined,
    message: textAt(body, 'message'),
    status,
    grpc: grpcNameOf(code),
    details: listAt(body, 'details'),
    body,
  };
}
