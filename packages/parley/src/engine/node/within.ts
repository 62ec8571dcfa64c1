import type { Awaitable, Clock } from '../ports.ts';

/** Waits for something, but not for ever. */
export async function within(clock: Clock, milliseconds: number, awaited: Awaitable<unknown>): Promise<void> {
  if (!(awaited instanceof Promise)) return;
  const limit = Promise.withResolvers<void>();
  const stop = clock.after(milliseconds, limit.resolve);
  await Promise.race([awaited, limit.promise]).finally(stop);
}
