import type { QueueFacet, Store } from '../engine/ports.ts';
import { QUEUE_METHODS } from '../engine/queue/queue-methods.ts';
import { STORE_METHODS, withStore } from '../stores/with-store.ts';

/** A store as one server process sees it: after the process has died, no call returns or writes any more. */
interface MortalStore {
  readonly store: Store;
  die(): void;
}

/** `open` stands for opening the shared store; closing it is left to its owner. */
export function mortalStore(store: Store, open: () => Promise<void>): MortalStore {
  let isDead = false;
  const never = new Promise<never>(() => {});
  const shared = withStore(store, { open, close: () => undefined });
  const guard =
    (call: (...values: unknown[]) => unknown) =>
    (...values: unknown[]) => {
      if (isDead) return never;
      const result = call(...values);
      return result instanceof Promise ? result.then((value: unknown) => (isDead ? never : value)) : result;
    };
  const { queue } = shared;
  const guarded = STORE_METHODS.map((name) => [name, guard(shared[name] as (...values: unknown[]) => unknown)]);
  return {
    store: withStore(shared, { ...Object.fromEntries(guarded), ...(queue && { queue: guardedQueue(queue, guard) }) }),
    die: () => {
      isDead = true;
    },
  };
}

type Guard = (call: (...values: unknown[]) => unknown) => (...values: unknown[]) => unknown;

function guardedQueue(queue: QueueFacet, guard: Guard): QueueFacet {
  const guarded = QUEUE_METHODS.map((name) => [
    name,
    guard(queue[name].bind(queue) as (...values: unknown[]) => unknown),
  ]);
  return Object.fromEntries(guarded) as unknown as QueueFacet;
}
