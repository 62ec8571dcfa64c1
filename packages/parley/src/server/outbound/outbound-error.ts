/**
 * Why nothing was sent, or why no response came. `REFUSED`: the guard does not allow the address. `INVALID`: the URL or a
 * header cannot be sent. `UNRESOLVED`: the name has no address. `TIMEOUT`: no response in time. `ABORTED`: by the signal.
 * `UNREACHABLE`: no connection, or it was lost. `TOO_LARGE`: the response is larger than what is read.
 */
export type OutboundErrorCode =
  | 'REFUSED'
  | 'INVALID'
  | 'UNRESOLVED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'UNREACHABLE'
  | 'TOO_LARGE';

/** The message is for the client or operator who gave the URL, and reads on after the name of a field: `url must not …`. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.code = code;
  }
}
