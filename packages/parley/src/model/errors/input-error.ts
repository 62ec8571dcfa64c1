/**
 * `INPUT_TIMEOUT`: a question was not answered in time. `INVALID_ANSWER`: no answer fitted. `TOOL_FAILED`: a tool of the
 * caller failed. `TOOL_NOT_DECLARED`: the caller has no such tool. `TOO_MANY_QUESTIONS`: more questions at once than
 * `limits.openQuestions` allows.
 */
export type InputErrorCode = (typeof INPUT_ERROR_CODES)[number];

export const INPUT_ERROR_CODES = [
  'INPUT_TIMEOUT',
  'INVALID_ANSWER',
  'TOOL_FAILED',
  'TOOL_NOT_DECLARED',
  'TOO_MANY_QUESTIONS',
] as const;

/** Registered, so that two copies of this package agree on it. */
const BRAND = Symbol.for('parley.InputError');

/** Thrown into a run instead of an answer. A run that does not catch it fails its task with the reason. */
export class InputError extends Error {
  readonly code: InputErrorCode;
  /** The time limit of the question. */
  declare readonly timeoutSeconds?: number | undefined;

  constructor(code: InputErrorCode, message: string, options: { readonly timeoutSeconds?: number | undefined } = {}) {
    super(message);
    this.name = 'InputError';
    this.code = code;
    if (options.timeoutSeconds !== undefined) this.timeoutSeconds = options.timeoutSeconds;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognizes an `InputError` of any copy of this package, as `isA2AError` does with the other class. */
export function isInputError(value: unknown): value is InputError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

export function inputTimeout(milliseconds: number): InputError {
  const timeoutSeconds = milliseconds / 1000;
  return new InputError('INPUT_TIMEOUT', `Nobody answered within ${timeoutSeconds} seconds`, { timeoutSeconds });
}
