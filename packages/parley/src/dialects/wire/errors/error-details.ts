import {
  type A2AError,
  type A2AErrorCode,
  type FieldViolation,
  isProtocolError,
} from '../../../model/errors/errors.ts';
import type { RestStatus } from '../../dialect.ts';

interface ErrorInfo {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
  reason: string;
  domain: 'a2a-protocol.org';
  metadata?: Readonly<Record<string, string>>;
}

interface BadRequest {
  '@type': 'type.googleapis.com/google.rpc.BadRequest';
  fieldViolations: FieldViolation[];
}

interface QuotaFailure {
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure';
  violations: { subject: string; description: string }[];
}

interface RetryInfo {
  '@type': 'type.googleapis.com/google.rpc.RetryInfo';
  /** The JSON form of `google.protobuf.Duration`. */
  retryDelay: string;
}

export type ErrorDetail = ErrorInfo | BadRequest | QuotaFailure | RetryInfo;

/** Errors of JSON-RPC itself that SDKs know by a reason as well: over HTTP+JSON it is all that they go by. */
const KNOWN_BY_REASON: ReadonlySet<A2AErrorCode> = new Set([
  'PARSE_ERROR',
  'INVALID_REQUEST',
  'METHOD_NOT_FOUND',
  'INVALID_PARAMS',
]);

/**
 * The details of an error (reference: v1-bindings §4.3, §5.4): who reads them decides by `reason`, since bindings
 * share codes. Errors that are neither of the protocol nor about parameters have one only where there are facts to tell.
 */
export function errorDetails(error: A2AError): readonly ErrorDetail[] | undefined {
  const hasReason = isProtocolError(error.code) || error.code === 'INVALID_PARAMS';
  const details = detailsOf(error, hasReason);
  return details.length > 0 ? details : undefined;
}

/** An error over HTTP+JSON: the JSON form of `google.rpc.Status`. */
export interface StatusBody {
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
}

/** Without a code of JSON-RPC beside them, the details have a reason wherever readers know it. */
export function statusBody(error: A2AError, { http, grpc }: RestStatus): StatusBody {
  const hasReason = isProtocolError(error.code) || KNOWN_BY_REASON.has(error.code);
  return { code: http, status: grpc, message: error.message, details: detailsOf(error, hasReason) };
}

function detailsOf(error: A2AError, hasReason: boolean): readonly ErrorDetail[] {
  const { code, metadata, violations } = error;
  const details: ErrorDetail[] = [...limitDetails(error)];
  if (violations.length > 0) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: violations.map(({ field, description }) => ({ field, description })),
    });
  }
  const hasMetadata = Object.keys(metadata).length > 0;
  if (hasReason || hasMetadata) {
    const info: ErrorInfo = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: code,
      domain: 'a2a-protocol.org',
    };
    if (hasMetadata) info.metadata = metadata;
    details.push(info);
  }
  return details;
}

/** The quota that a request has met, and when to come back. */
function limitDetails({ code, message, metadata, retryAfter }: A2AError): readonly ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (code === 'OVERLOADED' && metadata.limit !== undefined) {
    const violations = [{ subject: metadata.limit, description: message }];
    details.push({ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations });
  }
  if (retryAfter !== undefined && (code === 'OVERLOADED' || code === 'UNAVAILABLE')) {
    const retryDelay = `${Math.ceil(retryAfter) / 1000}s`;
    details.push({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
  }
  return details;
}
