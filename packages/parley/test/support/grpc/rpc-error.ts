import { type DescMessage, fromBinary, toJson } from '@bufbuild/protobuf';
import type { ServiceError } from '@grpc/grpc-js';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from '../../../src/bindings/grpc/gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../../src/bindings/grpc/gen/google/rpc/status_pb.ts';
import type { Wire } from '../rpc.ts';

/** The codes of JSON-RPC by the reason of the ErrorInfo (reference: v1-bindings §2). */
const CODES: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
};
/** The gRPC code that each of them must have. */
const STATUS_OF: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: 5,
  TASK_NOT_CANCELABLE: 9,
  PUSH_NOTIFICATION_NOT_SUPPORTED: 9,
  UNSUPPORTED_OPERATION: 9,
  CONTENT_TYPE_NOT_SUPPORTED: 3,
  INVALID_AGENT_RESPONSE: 13,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: 9,
  EXTENSION_SUPPORT_REQUIRED: 9,
  VERSION_NOT_SUPPORTED: 9,
};
/** Of errors that the protocol has no reason for. */
const PLAIN: Readonly<Record<number, number>> = { 3: -32602, 12: -32601 };
const INTERNAL = -32603;

const DETAILS: readonly DescMessage[] = [ErrorInfoSchema, BadRequestSchema, RetryInfoSchema, QuotaFailureSchema];

/** A status as the error object of JSON-RPC. Throws where the status contradicts its own details. */
export function rpcErrorOf({ code, details: message, metadata }: ServiceError): Wire {
  const [bytes] = metadata.get('grpc-status-details-bin');
  if (!(bytes instanceof Uint8Array)) return { code: PLAIN[code] ?? INTERNAL, message };
  const status = fromBinary(StatusSchema, bytes);
  if (status.code !== code || status.message !== message) throw new Error('The status is not that of its details');
  const data: Wire[] = status.details.map(({ typeUrl, value }) => {
    const schema = DETAILS.find(({ typeName }) => typeUrl === `type.googleapis.com/${typeName}`);
    if (!schema) throw new Error(`Unknown detail ${typeUrl}`);
    return { '@type': typeUrl, ...(toJson(schema, fromBinary(schema, value)) as object) };
  });
  const reason = data.find((detail) => detail.reason !== undefined)?.reason;
  const known = CODES[reason];
  if (known !== undefined && STATUS_OF[reason] !== code) throw new Error(`${reason} has the status ${code}`);
  return { code: known ?? PLAIN[code] ?? INTERNAL, message, ...(data.length > 0 && { data }) };
}
