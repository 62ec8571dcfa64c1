import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, anyPack, DurationSchema } from '@bufbuild/protobuf/wkt';
import { type ErrorDetail, errorStatusDetails, errorTypeOf } from '../../../dialects/error-status.ts';
import type { WireError } from '../../../model/errors/errors.ts';
import { restStatusFor } from '../../http/http-refusals.ts';
import { type ErrorTable, restStatusOf } from '../../rest/errors.ts';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from '../gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../gen/google/rpc/status_pb.ts';
import type { GrpcVersion } from '../services.ts';

/** The end of a call that failed. */
export interface GrpcStatus {
  readonly code: number;
  readonly message: string;
  /** A `google.rpc.Status`, for the trailer `grpc-status-details-bin`. */
  readonly details: Uint8Array;
}

/** The numbers of the codes (reference: v1-bindings §2). */
const CODES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
};

/** Errors that 0.3 has no name for: that of an internal error would say less than their status. */
const UNNAMED: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'PERMISSION_DENIED', 'OVERLOADED', 'UNAVAILABLE']);

/** Clients refuse trailers of more than a few kilobytes: of a long list of faults the first ones are told. */
const MOST_BYTES = 4096;
const LONGEST_MESSAGE = 500;

/** An error as a status with its details (reference: v1-bindings §7; 0.3: v03 §5). */
export function statusOf(error: WireError, table: ErrorTable, version: GrpcVersion = '1.0'): GrpcStatus {
  const code = codeOf(error, table, version);
  const text = shortened(error.message.toWellFormed());
  // The SDK of Python has no other way to know an error of 0.3; what has no name there is told by its status.
  const message = version === '0.3' && !UNNAMED.has(error.code) ? `${errorTypeOf(error)}: ${text}` : text;
  const details = errorStatusDetails(error).map(packed);
  for (;;) {
    const bytes = toBinary(StatusSchema, create(StatusSchema, { code, message, details }));
    if (bytes.length <= MOST_BYTES || details.length === 0) return { code, message, details: bytes };
    details.pop();
  }
}

function codeOf(error: WireError, table: ErrorTable, version: GrpcVersion): number {
  // gRPC's own code for messages that are too large.
  if (error.code === 'PAYLOAD_TOO_LARGE') return 8;
  const { grpc } = restStatusFor(error, restStatusOf(error.code, table));
  // Clients of 0.3 know errors by their codes alone, and take this one for a task that cannot be canceled.
  const isOther = version === '0.3' && grpc === 'FAILED_PRECONDITION' && error.code !== 'TASK_NOT_CANCELABLE';
  return CODES[isOther ? 'UNIMPLEMENTED' : grpc] ?? 13;
}

function shortened(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`.toWellFormed();
}

/** The most wrong fields that are named, and the most characters of each. */
const MOST_VIOLATIONS = 10;
const LONGEST_FIELD = 100;

function packed(detail: ErrorDetail): Any {
  switch (detail['@type']) {
    case 'type.googleapis.com/google.rpc.ErrorInfo': {
      const { reason, domain, metadata = {} } = detail;
      return anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain, metadata: wellFormed(metadata) }));
    }
    case 'type.googleapis.com/google.rpc.BadRequest': {
      const told = detail.fieldViolations.slice(0, MOST_VIOLATIONS).map(({ field, description }) => ({
        field: field.slice(0, LONGEST_FIELD).toWellFormed(),
        description: description.slice(0, 2 * LONGEST_FIELD).toWellFormed(),
      }));
      return anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations: told }));
    }
    case 'type.googleapis.com/google.rpc.QuotaFailure':
      return anyPack(QuotaFailureSchema, create(QuotaFailureSchema, { violations: detail.violations }));
    case 'type.googleapis.com/google.rpc.RetryInfo':
      return anyPack(RetryInfoSchema, create(RetryInfoSchema, { retryDelay: durationOf(detail.retryDelay) }));
  }
}

/** From its JSON, e.g. `1.5s`. */
function durationOf(text: string) {
  const milliseconds = Math.round(Number.parseFloat(text) * 1000);
  const seconds = Math.floor(milliseconds / 1000);
  return create(DurationSchema, { seconds: BigInt(seconds), nanos: (milliseconds % 1000) * 1_000_000 });
}

function wellFormed(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
  );
}
