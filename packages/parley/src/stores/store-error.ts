/**
 * `FOREIGN_FILE`: the file is not one of ours. `NOT_WRITABLE`: it cannot be created or written. `IN_USE`: another server
 * has it open. `NEWER_SCHEMA`: a newer release has written it. `CORRUPT`: it is damaged. `BAD_ADDRESS`: the address or an
 * option cannot be meant. `NO_DRIVER`: the package that speaks to the database is missing. `UNREACHABLE`: the database does
 * not respond, or refuses the connection.
 */
export type StoreErrorCode = (typeof STORE_ERROR_CODES)[number];

export const STORE_ERROR_CODES = [
  'FOREIGN_FILE',
  'NOT_WRITABLE',
  'IN_USE',
  'NEWER_SCHEMA',
  'CORRUPT',
  'BAD_ADDRESS',
  'NO_DRIVER',
  'UNREACHABLE',
] as const;

/** Registered, so that two copies of this package agree on it. */
const BRAND = Symbol.for('parley.StoreError');

/** Thrown by a store that cannot be opened. The message is one sentence for the operator. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognizes a `StoreError` of any copy of this package. */
export function isStoreError(value: unknown): value is StoreError {
  return typeof value === 'object' && value !== null && BRAND in value;
}
