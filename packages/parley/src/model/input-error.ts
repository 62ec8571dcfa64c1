/**
 * `INPUT_TIMEOUT`: a question was not answered in time. `INVALID_ANSWER`: no answer fitted. `TOOL_FAILED`: a tool of the
 * caller failed. `TOOL_NOT_DECLARED`: the caller has no such tool.
 */
export type InputErrorCode = 'INPUT_TIMEOUT' | 'INVALID_ANSWER' | 'TOOL_FAILED' | 'TOOL_NOT_DECLARED';

const MARKER = Symbol.for('parley.InputError');

/** What a run gets instead of an answer. A run that does not catch it fails its task with the reason. */
export class InputError extends Error {
  readonly code: InputErrorCode;
  /** How long the question could be answered. */
  declare readonly timeoutSeconds?: number | undefined;

  constructor(code: InputErrorCode, message: string, options: { readonly timeoutSeconds?: number | undefined } = {}) {
    super(message);
    this.name = 'InputError';
    this.code = code;
    if (options.timeoutSeconds !== undefined) this.timeoutSeconds = options.timeoutSeconds;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Also true for errors of another copy of this package. */
  static isInstance(value: unknown): value is InputError {
    return typeof value === 'object' && value !== null && MARKER in value;
  }
}

export function inputTimeout(milliseconds: number): InputError {
  const timeoutSeconds = milliseconds / 1000;
  return new InputError('INPUT_TIMEOUT', `Nobody answered within ${timeoutSeconds} seconds`, { timeoutSeconds });
}
