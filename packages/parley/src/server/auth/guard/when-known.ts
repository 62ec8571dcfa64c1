import type { Awaitable } from '../../../engine/ports.ts';
import { isThenable } from '../../../model/basics/promises.ts';

/** Goes on with a value at once, or when its promise is kept. */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
  onFailure?: (error: unknown) => never,
): Awaitable<Result> {
  return isThenable(value) ? whenKept(value, next, onFailure) : next(value);
}

async function whenKept<Value, Result>(
  promise: Promise<Value>,
  next: (value: Value) => Awaitable<Result>,
  onFailure?: (error: unknown) => never,
): Promise<Result> {
  let value: Value;
  try {
    value = await promise;
  } catch (error) {
    if (onFailure) return onFailure(error);
    throw error;
  }
  return next(value);
}
