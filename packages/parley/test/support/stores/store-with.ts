import { memory } from 'parley-a2a';
import { type Store, withStore } from 'parley-a2a/ports';

/** A store in memory, some of whose methods a test replaces; `inner` is what they stand for. */
export function storeWith(replace: (inner: Store) => Partial<Store>): Store {
  const inner = memory();
  return withStore(inner, replace(inner));
}
