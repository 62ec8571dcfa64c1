import { LONGEST_TIMER } from '../../../model/basics/timers.ts';
import type { PushRetry } from '../settings.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { Verdict } from './verdict.ts';

/** The state of a webhook after an attempt that failed. `random`: 0 to 1. */
export function stateAfterFailure(
  state: DeliveryState,
  verdict: Extract<Verdict, { kind: 'failed' }>,
  retry: PushRetry,
  now: number,
  random: number,
): DeliveryState {
  const failures = state.failures + 1;
  const failingSince = state.failingSince ?? now;
  const failed = { ...state, failures, failingSince, lastTry: now, lastError: verdict.why };
  if (now - failingSince >= retry.giveUpAfter) return { ...failed, standing: 'ended', nextTry: undefined };
  const nextTry = Math.round(now + delayAfter(failures, verdict, retry, random));
  return { ...failed, standing: failures >= retry.pauseAfter ? 'paused' : 'active', nextTry };
}

/** Exponential, with a random part; a receiver that has too much to do is given one step more. */
function delayAfter(
  failures: number,
  { slowsDown, retryAfter = 0 }: Extract<Verdict, { kind: 'failed' }>,
  retry: PushRetry,
  random: number,
): number {
  const { firstDelay, factor, longestDelay, jitter, pauseAfter, pause, longestRetryAfter } = retry;
  const steps = failures - 1 + (slowsDown ? 1 : 0);
  const usual = failures >= pauseAfter ? pause : Math.min(firstDelay * factor ** steps, longestDelay);
  const delay = Math.max(usual * (1 + jitter * random), Math.min(retryAfter, longestRetryAfter));
  return Math.min(delay, LONGEST_TIMER);
}
