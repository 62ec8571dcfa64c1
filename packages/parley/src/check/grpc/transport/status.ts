import { type DescMessage, fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from '../../../bindings/grpc/gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../../bindings/grpc/gen/google/rpc/status_pb.ts';
import type { Incoming } from '../../wire/exchange.ts';
import { httpStatusOf } from '../codes.ts';

const DETAILS = 'grpc-status-details-bin';
const KNOWN: readonly DescMessage[] = [ErrorInfoSchema, BadRequestSchema, RetryInfoSchema, QuotaFailureSchema];

/** The end of a call, as gRPC tells it. */
export interface EndStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

/**
 * The end of a call as a response: its text is the JSON of the `google.rpc.Status` in the trailers. Without them, or if it
 * cannot be read, that of the status itself.
 */
export function incomingOf({ code, details, metadata }: EndStatus, head: Metadata | undefined): Incoming {
  const [bytes] = metadata.get(DETAILS);
  const own: JsonObject = { code, message: details };
  const body = bytes instanceof Uint8Array ? (statusJson(bytes) ?? own) : own;
  return { ...headOf(code, head, metadata), text: JSON.stringify(body) };
}

export function headOf(code: number, ...all: readonly (Metadata | undefined)[]): Omit<Incoming, 'text'> {
  const headers: Record<string, string> = {};
  for (const metadata of all) {
    for (const name of Object.keys(metadata?.getMap() ?? {})) {
      const values = metadata?.get(name) ?? [];
      headers[name] = values.map((value) => (typeof value === 'string' ? value : value.toString('base64'))).join(', ');
    }
  }
  return { status: httpStatusOf(code), grpc: code, headers };
}

function statusJson(bytes: Uint8Array): JsonObject | undefined {
  try {
    const { code, message, details } = fromBinary(StatusSchema, bytes);
    return { code, message, details: details.map(({ typeUrl, value }) => detailJson(typeUrl, value)) };
  } catch {
    return undefined;
  }
}

function detailJson(typeUrl: string, value: Uint8Array): JsonObject {
  const schema = KNOWN.find(({ typeName }) => typeUrl.endsWith(`/${typeName}`));
  return { '@type': typeUrl, ...(schema && (toJson(schema, fromBinary(schema, value)) as JsonObject)) };
}
