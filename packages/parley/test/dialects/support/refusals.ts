import { type A2AError, isA2AError } from '../../../src/model/errors/errors.ts';

/** The error that an action throws. */
export function refusalOf(action: () => unknown): A2AError {
  try {
    action();
  } catch (error) {
    if (isA2AError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The fields that an action is refused for. */
export function refusedFields(action: () => unknown): readonly string[] {
  return refusalOf(action).violations.map(({ field }) => field);
}
