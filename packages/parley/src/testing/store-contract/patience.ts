/** The patience of a contract, unless it is told another one: with the time to close, less than the 5 s that vitest and Jest give a test. */
export const USUAL_PATIENCE = 4_000;

/** How long a failed test waits for what it closes, in milliseconds. */
const CLOSING_GRACE = 500;

/** A call that a contract waits for no longer. */
export class TooLate extends Error {}

/** Settles as the promise does, or rejects with a `TooLate` of this sentence once the time is up. */
export function within<Value>(promise: PromiseLike<Value>, milliseconds: number, sentence: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TooLate(sentence)), milliseconds);
    const settle = <Args extends readonly unknown[]>(end: (...args: Args) => void) => {
      return (...args: Args) => {
        clearTimeout(timer);
        end(...args);
      };
    };
    promise.then(settle(resolve), settle(reject));
  });
}

/** Waits for a promise that the call of a method returned. */
export type WaitForCall = <Value>(promise: PromiseLike<Value>, method: string) => Promise<Value>;

/**
 * The same object, where each promise of a method goes through `wait`. Facets that are members, such as the queue of a store,
 * are treated alike. Values that are no promises stay what they are.
 */
export function withPatience<Target extends object>(target: Target, wait: WaitForCall, path = ''): Target {
  // Not a proxy of the target itself: one of a frozen object could not return anything else than its members.
  return new Proxy({} as Target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name);
      const called = `${path}${String(name)}`;
      if (typeof member === 'object' && member !== null) return withPatience(member, wait, `${called}.`);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args);
        return isPromise(result) ? quiet(wait(result, called)) : result;
      };
    },
  });
}

/** Runs a test, then closes what it used. A failure of the test is the one that counts, whatever comes of the closing. */
export async function thenClose(test: () => Promise<void>, close: () => Promise<void>): Promise<void> {
  try {
    await test();
  } catch (error) {
    await within(close(), CLOSING_GRACE, '').catch(() => {});
    throw error;
  }
  await close();
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Where a test fails before it waits for a promise, the rejection of that is no matter of its own. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}
