/** Tells a promise, of whatever class, from a value. */
export function isThenable<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Calls a function that nothing waits for. `failed` hears what it throws, now or, where it is async, later. */
export function callAlone(listener: () => unknown, failed: (error: unknown) => void): void {
  try {
    const told = listener();
    if (isThenable(told)) told.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

/** Throws a TypeError for a promise, whose rejection then ends nothing. `what`: the function of a user that returned it. */
export function requireNow<Value>(value: Value | Promise<Value>, what: string): Value {
  if (!isThenable(value)) return value;
  value.then(undefined, () => {});
  throw new TypeError(`${what} must return its result at once, not a promise`);
}
