/** The response ended in the middle: no reason to finish was given. */
export class CutStreamError extends Error {
  override readonly name = 'CutStreamError';

  constructor() {
    super("The model's response ended in the middle");
  }
}

/** The response is longer than `limits.responseLength`. */
export class ResponseTooLongError extends Error {
  override readonly name = 'ResponseTooLongError';

  constructor(most: number) {
    super(`The model's response has more than ${most} characters (limits.responseLength)`);
  }
}

/** The provider has sent nothing for longer than `limits.firstTokenTimeout` or `limits.tokenTimeout`. */
export class SilentModelError extends Error {
  override readonly name = 'SilentModelError';

  constructor(milliseconds: number) {
    super(`The model's provider has sent nothing for ${milliseconds} milliseconds`);
  }
}

/** A model call that failed for good. Its message is for the caller; its code names the kind. */
export class ModelCallFailure extends Error {
  override readonly name = MODEL_CALL_FAILURE;
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const MODEL_CALL_FAILURE = 'ModelCallFailure';

/** Recognizes a failure that was thrown, and one that was read from the journal. */
export function isModelCallFailure(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === MODEL_CALL_FAILURE && 'code' in error;
}
