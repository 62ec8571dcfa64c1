import type { Store } from '../../../src/engine/ports.ts';
import { STORE_METHODS, withStore } from '../../../src/stores/with-store.ts';

/**
 * `fails`: calls reject and do nothing. `hangs`: calls wait until the trouble is over, and do what they should then. `swallows`: calls
 * do what they should, and reject as if they had not.
 */
export type Trouble = 'fails' | 'hangs' | 'swallows';

export interface TroubledStore {
  readonly store: Store;
  /** From now on the store has this trouble, for these methods or for all of them. */
  begin(trouble: Trouble, methods?: readonly (keyof Store)[]): void;
  end(): void;
  /** How many calls have met the trouble. */
  readonly met: number;
}

/** A store that one node reaches over a network which a test disturbs. `open` and `close` always work. */
export function troubledStore(inner: Store): TroubledStore {
  let trouble:
    | { readonly kind: Trouble; readonly methods: readonly string[]; readonly over: Promise<void> }
    | undefined;
  let over = () => {};
  let met = 0;
  const lost = () => new Error('The connection to the database was lost');
  const guard =
    (name: string, call: (...values: unknown[]) => unknown) =>
    (...values: unknown[]) => {
      if (!trouble?.methods.includes(name)) return call(...values);
      met += 1;
      const { kind } = trouble;
      if (kind === 'fails') return Promise.reject(lost());
      if (kind === 'hangs') return trouble.over.then(() => call(...values));
      return Promise.resolve(call(...values)).then(() => Promise.reject(lost()));
    };
  const methods = STORE_METHODS.filter((name) => name !== 'open' && name !== 'close');
  const guarded = methods.map((name) => [
    name,
    guard(name, inner[name].bind(inner) as (...values: unknown[]) => unknown),
  ]);
  return {
    store: withStore(inner, Object.fromEntries(guarded)),
    begin(kind, only = methods) {
      over();
      const { promise, resolve } = Promise.withResolvers<void>();
      over = resolve;
      trouble = { kind, methods: only, over: promise };
    },
    end() {
      trouble = undefined;
      over();
    },
    get met() {
      return met;
    },
  };
}
