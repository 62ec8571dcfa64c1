import type { Awaitable } from '../../engine/ports.ts';

/** Goes on with a value at once, or when its promise is kept. */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
  onFailure?: (error: unknown) => never,
): Awaitable<Result> {
  if (!isThenable(value)) return next(value);
  const promise = Promise.resolve(value);
  return (onFailure ? promise.catch(onFailure) : promise).then(next);
}

export function isThenable<Value>(value: Awaitable<Value>): value is Promise<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
