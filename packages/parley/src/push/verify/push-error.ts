/**
 * Why a notification is refused. The code is stable; the message is for the sender and shows nothing of secrets.
 *
 * - `INVALID_HEADER`: a header of Standard Webhooks is missing or malformed.
 * - `TOO_OLD`, `TOO_NEW`: its time is too far from now.
 * - `WRONG_SIGNATURE`: no signature is right for any of the keys.
 * - `WRONG_TOKEN`, `WRONG_CREDENTIALS`: not those that were agreed on.
 * - `UNEXPECTED_TASK`: this task is not waited for.
 * - `INVALID_BODY`: not a notification of A2A. `BODY_TOO_LARGE`, `UNSUPPORTED_TYPE`, `WRONG_METHOD`: as their names say.
 * - `KEYS_UNAVAILABLE`: the sender's keys could not be read now. `BUSY`: too much waits. Both are worth another attempt.
 */
export type PushErrorCode = keyof typeof STATUS_OF;

const STATUS_OF = {
  INVALID_HEADER: 400,
  TOO_OLD: 400,
  TOO_NEW: 400,
  WRONG_SIGNATURE: 401,
  WRONG_TOKEN: 401,
  WRONG_CREDENTIALS: 401,
  UNEXPECTED_TASK: 404,
  WRONG_METHOD: 405,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  INVALID_BODY: 422,
  BUSY: 503,
  KEYS_UNAVAILABLE: 503,
} as const;

export const PUSH_ERROR_CODES = Object.keys(STATUS_OF) as readonly PushErrorCode[];

/** Registered, so that two copies of this package agree on it. */
const BRAND = Symbol.for('parley.PushError');

/** A notification that is refused, with the status to respond with. */
export class PushError extends Error {
  readonly code: PushErrorCode;
  readonly status: number;

  constructor(code: PushErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PushError';
    this.code = code;
    this.status = STATUS_OF[code];
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognizes a `PushError` of any copy of this package. */
export function isPushError(value: unknown): value is PushError {
  return typeof value === 'object' && value !== null && BRAND in value;
}
