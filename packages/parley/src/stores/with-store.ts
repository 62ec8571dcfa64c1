import type { Store } from '../engine/ports.ts';

type Method = Exclude<keyof Store, 'exclusive' | 'probe' | 'queue' | 'time' | 'trim' | 'bus' | 'rates'>;

/** Every method of a store. The type refuses a list that lacks one. */
const METHODS: Readonly<Record<Method, true>> = {
  open: true,
  close: true,
  commit: true,
  head: true,
  load: true,
  read: true,
  list: true,
  purge: true,
  journal: true,
  contextOwner: true,
  contextState: true,
  shareContext: true,
  sharedContexts: true,
  key: true,
  heartbeat: true,
  isAlive: true,
  abandoned: true,
  putPushConfig: true,
  pushConfig: true,
  listPushConfigs: true,
  deletePushConfig: true,
  cursor: true,
  setCursor: true,
  deleteCursor: true,
  apiKey: true,
  listApiKeys: true,
  addApiKey: true,
  removeApiKey: true,
  keptValue: true,
  keepValue: true,
  sweep: true,
};

/** The names of all methods of a store, for wrappers that treat them alike. */
export const STORE_METHODS: readonly Method[] = Object.keys(METHODS) as Method[];

/**
 * A store that does everything as `store` does, but for the members of `changes`. Members that no store has are added.
 *
 * @example
 * const counted = withStore(store, {
 *   commit: (entries) => {
 *     count += entries.length;
 *     return store.commit(entries);
 *   },
 * });
 */
export function withStore<Changes extends Partial<Store>>(store: Store, changes: Changes): Store & Changes {
  const methods = STORE_METHODS.map((name) => [name, store[name].bind(store)]);
  const probe = store.probe && { probe: store.probe.bind(store) };
  const queue = store.queue && { queue: store.queue };
  const trim = store.trim && { trim: store.trim.bind(store) };
  const time = store.time && { time: store.time.bind(store) };
  const bus = store.bus && { bus: store.bus.bind(store) };
  const rates = store.rates && { rates: store.rates };
  return {
    exclusive: store.exclusive,
    ...Object.fromEntries(methods),
    ...probe,
    ...queue,
    ...trim,
    ...time,
    ...bus,
    ...rates,
    ...changes,
  };
}
