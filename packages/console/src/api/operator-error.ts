/** A refusal of the operators' routes, in words. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly status: number;
  readonly advice: string | undefined;
  /** The header `WWW-Authenticate`: what the server would take. */
  readonly challenge: string | undefined;

  constructor(status: number, message: string, advice?: string, challenge?: string) {
    super(message);
    this.status = status;
    this.advice = advice;
    this.challenge = challenge;
  }
}

export function isOperatorError(error: unknown): error is OperatorError {
  return error instanceof OperatorError;
}

/** The server wants to know who asks, or the credential is not that of an operator. */
export function isAccessError(error: unknown): boolean {
  return isOperatorError(error) && (error.status === 401 || error.status === 403);
}
