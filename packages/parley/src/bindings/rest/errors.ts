import type { RestStatus } from '../../dialects/dialect.ts';
import { type A2AErrorCode, type WireErrorCode, wireCode } from '../../model/errors/errors.ts';

/** The release whose table of statuses is in force (reference: v1-bindings §2). */
export type ErrorTable = '1.0.0' | '1.0.1';

const STATUSES: Readonly<Record<WireErrorCode, RestStatus>> = {
  TASK_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND' },
  TASK_NOT_CANCELABLE: { http: 400, grpc: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { http: 400, grpc: 'FAILED_PRECONDITION' },
  UNSUPPORTED_OPERATION: { http: 400, grpc: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { http: 400, grpc: 'INVALID_ARGUMENT' },
  INVALID_AGENT_RESPONSE: { http: 500, grpc: 'INTERNAL' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { http: 400, grpc: 'FAILED_PRECONDITION' },
  EXTENSION_SUPPORT_REQUIRED: { http: 400, grpc: 'FAILED_PRECONDITION' },
  VERSION_NOT_SUPPORTED: { http: 400, grpc: 'FAILED_PRECONDITION' },
  PARSE_ERROR: { http: 400, grpc: 'INVALID_ARGUMENT' },
  INVALID_REQUEST: { http: 400, grpc: 'INVALID_ARGUMENT' },
  METHOD_NOT_FOUND: { http: 404, grpc: 'UNIMPLEMENTED' },
  INVALID_PARAMS: { http: 400, grpc: 'INVALID_ARGUMENT' },
  INTERNAL: { http: 500, grpc: 'INTERNAL' },
  NOT_FOUND: { http: 404, grpc: 'NOT_FOUND' },
  METHOD_NOT_ALLOWED: { http: 405, grpc: 'UNIMPLEMENTED' },
  UNAUTHENTICATED: { http: 401, grpc: 'UNAUTHENTICATED' },
  PERMISSION_DENIED: { http: 403, grpc: 'PERMISSION_DENIED' },
  PAYLOAD_TOO_LARGE: { http: 413, grpc: 'INVALID_ARGUMENT' },
  OVERLOADED: { http: 429, grpc: 'RESOURCE_EXHAUSTED' },
  UNAVAILABLE: { http: 503, grpc: 'UNAVAILABLE' },
};

/** The statuses of 1.0.0 that differ; conformance checks of its time insist on them. */
const STATUSES_OF_1_0_0: Partial<Readonly<Record<WireErrorCode, RestStatus>>> = {
  TASK_NOT_CANCELABLE: { http: 409, grpc: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { http: 400, grpc: 'UNIMPLEMENTED' },
  UNSUPPORTED_OPERATION: { http: 400, grpc: 'UNIMPLEMENTED' },
  CONTENT_TYPE_NOT_SUPPORTED: { http: 415, grpc: 'INVALID_ARGUMENT' },
  INVALID_AGENT_RESPONSE: { http: 502, grpc: 'INTERNAL' },
  VERSION_NOT_SUPPORTED: { http: 400, grpc: 'UNIMPLEMENTED' },
};

/** An idempotency key that was used for another request (IETF draft 07 §2.7). */
export const KEY_CONFLICT: RestStatus = { http: 422, grpc: 'INVALID_ARGUMENT' };

export function restStatusOf(code: A2AErrorCode, table: ErrorTable): RestStatus {
  const known = wireCode(code);
  return (table === '1.0.0' && STATUSES_OF_1_0_0[known]) || STATUSES[known];
}
