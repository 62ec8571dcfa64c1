/** An abort signal of one's own that follows others; `release` lets go of them. */
export interface Linked {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  readonly release: () => void;
}

/** `AbortSignal.any` would keep a long-lived signal's followers alive; these are let go of when the call ends. */
export function linked(...others: readonly (AbortSignal | undefined)[]): Linked {
  const controller = new AbortController();
  const undo: (() => void)[] = [];
  const release = () => {
    for (const remove of undo.splice(0)) remove();
  };
  const abort = (reason?: unknown) => {
    release();
    controller.abort(reason);
  };
  for (const other of others) {
    if (!other) continue;
    if (other.aborted) {
      abort(other.reason);
      break;
    }
    const follow = () => abort(other.reason);
    other.addEventListener('abort', follow, { once: true });
    undo.push(() => other.removeEventListener('abort', follow));
  }
  return { signal: controller.signal, abort, release };
}

/** The same promise, given up as soon as the signal says so. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T>;
export function abortable<T>(
  promise: Promise<T> | undefined,
  signal: AbortSignal | null | undefined,
): Promise<T> | undefined;
export function abortable<T>(promise: Promise<T> | undefined, signal: AbortSignal | null | undefined) {
  if (!promise || !signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
