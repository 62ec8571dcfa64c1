/** Returns the same promise, which may be left alone: a rejection that nobody looks at must not end the process. */
export function leavable<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}
