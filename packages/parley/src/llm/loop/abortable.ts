/** Makes a call with a signal of its own, which is aborted together with the outer one, and when the call is given up. */
export async function abortable<Result>(
  outer: AbortSignal,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  const abort = () => own.abort(outer.reason);
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort);
  try {
    return await call(own.signal);
  } catch (error) {
    own.abort(error);
    throw error;
  } finally {
    outer.removeEventListener('abort', abort);
  }
}
