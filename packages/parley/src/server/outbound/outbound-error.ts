/**
 * Why nothing was sent, or why no response came. `REFUSED`: the guard does not allow the address. `INVALID`: the URL or a
 * header cannot be sent. `UNRESOLVED`: the name has no address. `TIMEOUT`: no response in time. `ABORTED`: by the signal.
 * `UNREACHABLE`: no connection, or it was lost. `TOO_LARGE`: the response is larger than what is read.
 */
export type OutboundErrorCode = (typeof OUTBOUND_ERROR_CODES)[number];

export const OUTBOUND_ERROR_CODES = [
  'REFUSED',
  'INVALID',
  'UNRESOLVED',
  'TIMEOUT',
  'ABORTED',
  'UNREACHABLE',
  'TOO_LARGE',
] as const;

/** Registered, so that two copies of this package agree on it. */
const BRAND = Symbol.for('parley.OutboundError');

/** The message is for the client or operator who gave the URL, and reads on after the name of a field: `url must not …`. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognizes an `OutboundError` of any copy of this package. */
export function isOutboundError(value: unknown): value is OutboundError {
  return typeof value === 'object' && value !== null && BRAND in value;
}
