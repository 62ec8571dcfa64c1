import type { Awaitable, Clock } from '../ports.ts';

/** Settles as `awaited` does, or rejects with `late()` after `milliseconds`. What is late goes on, unheard. */
export function inTime<Value>(
  clock: Clock,
  milliseconds: number,
  awaited: Awaitable<Value>,
  late: () => Error,
): Promise<Value> {
  if (!(awaited instanceof Promise)) return Promise.resolve(awaited);
  return new Promise((resolve, reject) => {
    const stop = clock.after(milliseconds, () => reject(late()));
    awaited.then(resolve, reject).finally(stop);
  });
}
