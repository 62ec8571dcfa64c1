import { fromBinary } from '@bufbuild/protobuf';
import type { ExchangeResponse } from '../../bindings/exchange.ts';
import { StatusSchema } from '../../bindings/grpc/gen/google/rpc/status_pb.ts';

interface WrittenStatus {
  readonly code: number;
  readonly message: string;
  readonly details: Buffer | undefined;
}

/** The codes of refusals that know nothing of gRPC, such as that of a broken server. */
const CODES: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 405: 12, 413: 8, 429: 8, 503: 14 };
const INTERNAL = 13;

/**
 * The status of a response that is none but a status: of its headers, of its details, or of its HTTP status. `details`: a
 * `google.rpc.Status`.
 */
export function readStatus(
  response: Pick<ExchangeResponse, 'headers' | 'status'>,
  details?: Uint8Array,
): WrittenStatus {
  if (details) {
    const { code, message } = fromBinary(StatusSchema, details);
    return { code, message, details: undefined };
  }
  const { 'grpc-status': code, 'grpc-message': message, 'grpc-status-details-bin': packed } = response.headers;
  if (code === undefined) {
    return { code: CODES[response.status] ?? INTERNAL, message: 'The call was refused', details: undefined };
  }
  return {
    code: Number(code),
    message: message ?? '',
    details: packed === undefined ? undefined : Buffer.from(packed, 'base64'),
  };
}
