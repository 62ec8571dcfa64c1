import { sleep, type Timing } from '../call/timing.ts';
import { LEAST_POLL_MS, LONGEST_POLL_MS, MOST_UNKNOWN_LOOKS } from '../pace.ts';
import type { Reception } from './reception.ts';
import type { Batch } from './stream-source.ts';

interface PolledOptions {
  readonly taskId: string;
  readonly timing: Timing;
  readonly signal: AbortSignal;
}

/**
 * Asks for the task now and then, where there is no stream. Like a stream, it goes on after a question only if it
 * subscribed.
 */
export async function* readPolled(
  reception: Reception,
  { taskId, timing, signal }: PolledOptions,
): AsyncGenerator<Batch, void, void> {
  const { getTask, send } = reception.source;
  const isSubscription = send === undefined;
  let unknown = 0;
  for (let pause = LEAST_POLL_MS; ; pause = Math.min(pause * 2, LONGEST_POLL_MS)) {
    const { count } = reception;
    yield reception.adopt(await getTask(taskId));
    unknown = reception.collector.state === 'unknown' ? unknown + 1 : 0;
    if (unknown > 0 ? unknown >= MOST_UNKNOWN_LOOKS : reception.isOver(isSubscription)) return;
    if (reception.count > count) pause = LEAST_POLL_MS;
    await sleep(timing, pause, signal);
  }
}
