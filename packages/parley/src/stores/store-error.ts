/**
 * `FOREIGN_FILE`: the file is not one of ours. `NOT_WRITABLE`: it cannot be created or written. `IN_USE`: another server
 * has it open. `NEWER_SCHEMA`: a newer release has written it. `CORRUPT`: it is damaged.
 */
export type StoreErrorCode = 'FOREIGN_FILE' | 'NOT_WRITABLE' | 'IN_USE' | 'NEWER_SCHEMA' | 'CORRUPT';

/** Thrown by a store that cannot be opened. The message is one sentence for the operator. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.code = code;
  }
}
