import { setTimeout } from 'node:timers/promises';

/** Waits, or throws as soon as the signal is aborted. Zero milliseconds only look at the signal. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds > 0) await setTimeout(milliseconds, undefined, { signal });
}
