/** Returns the same promise, which may be left alone: an unhandled rejection must not end the process. */
export function leavable<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}
