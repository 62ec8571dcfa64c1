/** The statuses of gRPC by their numbers, with the HTTP status that says the same (reference: v1-bindings §2). */
const CODES = [
  ['OK', 200],
  ['CANCELLED', 499],
  ['UNKNOWN', 500],
  ['INVALID_ARGUMENT', 400],
  ['DEADLINE_EXCEEDED', 504],
  ['NOT_FOUND', 404],
  ['ALREADY_EXISTS', 409],
  ['PERMISSION_DENIED', 403],
  ['RESOURCE_EXHAUSTED', 429],
  ['FAILED_PRECONDITION', 400],
  ['ABORTED', 409],
  ['OUT_OF_RANGE', 400],
  ['UNIMPLEMENTED', 404],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DATA_LOSS', 500],
  ['UNAUTHENTICATED', 401],
] as const;

export type GrpcCode = (typeof CODES)[number][0];

export function grpcNameOf(code: number): GrpcCode {
  return CODES[code]?.[0] ?? 'UNKNOWN';
}

export function httpStatusOf(code: number): number {
  return CODES[code]?.[1] ?? 500;
}
