import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../gen/google/rpc/status_pb.ts';

/** The end of a call that failed, as gRPC tells it; both are missing where a message was packed in a way that gRPC does not know. */
export interface FailedStatus {
  readonly code: number | undefined;
  readonly details: string | undefined;
  readonly metadata?: Metadata | undefined;
}

/** The names of the codes, by their numbers (reference: v1-bindings §2). */
export const STATUS_NAMES: readonly string[] = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

interface StatusDetails {
  /** In the JSON that errors over HTTP+JSON have. */
  readonly json: readonly object[];
  /** Milliseconds. */
  readonly retryAfter: number | undefined;
}

const DETAILS = 'grpc-status-details-bin';
const NOTHING: StatusDetails = { json: [], retryAfter: undefined };

/** Tells whether the server itself ended the call, as far as that shows. */
export function hasDetails({ metadata }: FailedStatus): boolean {
  return (metadata?.get(DETAILS).length ?? 0) > 0;
}

/** Reads `google.rpc.Status` from the trailers (reference: v1-bindings §7); what cannot be read is as good as missing. */
export function readDetails({ metadata }: FailedStatus): StatusDetails {
  const [bytes] = metadata?.get(DETAILS) ?? [];
  if (!(bytes instanceof Uint8Array)) return NOTHING;
  const json: object[] = [];
  let retryAfter: number | undefined;
  for (const { typeUrl, value } of decoded(StatusSchema, bytes)?.details ?? []) {
    const name = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
    const type = { '@type': typeUrl };
    if (name === ErrorInfoSchema.typeName) {
      const { reason, metadata: facts } = decoded(ErrorInfoSchema, value) ?? {};
      json.push({ ...type, reason: reason || undefined, metadata: facts });
    } else if (name === BadRequestSchema.typeName) {
      const fieldViolations = decoded(BadRequestSchema, value)?.fieldViolations ?? [];
      json.push({
        ...type,
        fieldViolations: fieldViolations.map(({ field, description }) => ({ field, description })),
      });
    } else if (name === RetryInfoSchema.typeName) {
      const delay = decoded(RetryInfoSchema, value)?.retryDelay;
      if (delay) retryAfter = Math.max(0, Number(delay.seconds) * 1000 + Math.ceil(delay.nanos / 1e6));
    }
  }
  return { json, retryAfter };
}

function decoded<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> | undefined {
  try {
    return fromBinary(schema, bytes);
  } catch {
    return undefined;
  }
}
