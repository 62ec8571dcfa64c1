import type { Store } from '../engine/ports.ts';

/** A store as one server process sees it: when the process dies, nothing it asks for is answered or written any more. */
export interface MortalStore {
  readonly store: Store;
  die(): void;
}

/** `store` is opened and closed by whoever owns it. */
export function mortalStore(store: Store, open: () => Promise<void>): MortalStore {
  let isDead = false;
  const never = new Promise<never>(() => {});
  const guarded =
    (name: string | symbol, value: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      if (isDead) return never;
      if (name === 'open') return open();
      if (name === 'close') return undefined;
      const result = value.apply(store, args);
      return result instanceof Promise ? result.then((answer: unknown) => (isDead ? never : answer)) : result;
    };
  return {
    store: new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? guarded(name, value as (...args: unknown[]) => unknown) : value;
      },
    }),
    die: () => {
      isDead = true;
    },
  };
}
