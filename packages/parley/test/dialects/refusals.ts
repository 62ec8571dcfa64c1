import { A2AError } from '../../src/model/errors.ts';

/** The error that an action throws. */
export function refusalOf(action: () => unknown): A2AError {
  try {
    action();
  } catch (error) {
    if (A2AError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The fields that an action is refused for. */
export function refusedFields(action: () => unknown): readonly string[] {
  return refusalOf(action).violations.map(({ field }) => field);
}
