/** Registered, so that two copies of this package agree on it. */
const KIND: unique symbol = Symbol.for('parley-a2a.store-kind');

type StoreKind = 'memory' | 'sqlite' | 'postgres';

interface KindBearer {
  readonly [KIND]?: StoreKind;
}

/** Marks one of our stores with its kind, which operators are shown. */
export function ofKind<Store extends object>(store: Store, kind: StoreKind): Store {
  Object.defineProperty(store, KIND, { value: kind });
  return store;
}

/** The kind of a store; `other` for those that others wrote. */
export function storeKindOf(store: object): StoreKind | 'other' {
  return (store as KindBearer)[KIND] ?? 'other';
}
