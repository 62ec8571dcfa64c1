import { type A2AServerOptions, memory } from 'parley-a2a';

type Store = NonNullable<A2AServerOptions['store']>;

/** A store in memory, some of whose methods a test replaces; `inner` is what they stand for. */
export function storeWith(replace: (inner: Store) => Partial<Store>): Store {
  const inner = memory();
  const replaced: Partial<Record<string | symbol, unknown>> = { ...replace(inner) };
  return new Proxy(inner, {
    get(target, name) {
      const value = replaced[name] ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
