import { type A2AError, type FieldViolation, wireCode } from '../../../model/errors/errors.ts';
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

/**
 * The details of an error (reference: v1-bindings §4.3, §5.4): who reads them decides by `reason`, since bindings
 * share codes. The protocol has reasons for its own errors; all others have their code, which peers that do not know it
 * pass over.
 */
export function errorDetails(error: A2AError): readonly ErrorDetail[] {
  const { code, metadata, violations } = error;
  const details: ErrorDetail[] = [...limitDetails(error)];
  if (violations.length > 0) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: violations.map(({ field, description }) => ({ field, description })),
    });
  }
  const info: ErrorInfo = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: wireCode(code),
    domain: 'a2a-protocol.org',
  };
  if (Object.keys(metadata).length > 0) info.metadata = metadata;
  details.push(info);
  return details;
}

/** An error over HTTP+JSON: the JSON form of `google.rpc.Status`. */
interface StatusBody {
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
}

export function statusBody(error: A2AError, { http, grpc }: RestStatus): StatusBody {
  return { code: http, status: grpc, message: error.message, details: errorDetails(error) };
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
