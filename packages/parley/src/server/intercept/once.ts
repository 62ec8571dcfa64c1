/** An interceptor of any kind. */
export type AnyAround = (subject: unknown, next: () => Promise<unknown>, input: unknown) => Promise<unknown>;

/**
 * An interceptor that can do the work inside it only once: its second call of `next` throws. What it throws before it
 * returns its promise is a rejection, and work that it does not await fails nobody but itself.
 */
export function doingOnce(kind: string, around: AnyAround): AnyAround {
  return async (subject, next, input) => {
    let isBegun = false;
    const once = () => {
      if (isBegun) throw new TypeError(`An interceptor of kind ${kind} called next() twice; it may call it only once`);
      isBegun = true;
      return heard(next());
    };
    return around(subject, once, input);
  };
}

/**
 * An interceptor of work that must never be done twice: its second call of `next` returns the promise of the first, and it
 * is not over before the work is, even if it throws or does not wait.
 */
export function outlasting(around: AnyAround): AnyAround {
  return async (subject, next, input) => {
    let begun: Promise<unknown> | undefined;
    let isOver = false;
    const once = () => {
      begun ??= heard(
        isOver ? Promise.reject(new TypeError('next() was called after its interceptor had ended')) : next(),
      );
      return begun;
    };
    try {
      await around(subject, once, input);
    } finally {
      isOver = true;
      await begun?.catch(() => {});
    }
  };
}

/** The same promise; a rejection that nobody waits for does not end the process. */
function heard<Outcome>(promise: Promise<Outcome>): Promise<Outcome> {
  promise.catch(() => {});
  return promise;
}
