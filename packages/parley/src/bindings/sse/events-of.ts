import type { ReceivedEvent } from '../caller.ts';

/** A stream of what is known already. */
export async function* eventsOf(...events: readonly ReceivedEvent[]): AsyncGenerator<ReceivedEvent, undefined> {
  yield* events;
  return undefined;
}
