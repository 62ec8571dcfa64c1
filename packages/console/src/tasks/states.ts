import type { WireState } from '../../../parley/src/server/operator/console-api.ts';

const PREFIX = 'TASK_STATE_';

/** The states that a task can have, in the words of the page and in the order of a task's life. */
export const STATES = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected']);

/** `TASK_STATE_INPUT_REQUIRED` as `input-required`. */
export function stateOf(wire: WireState): string {
  const name = wire.startsWith(PREFIX) ? wire.slice(PREFIX.length) : wire;
  return name.toLowerCase().replaceAll('_', '-');
}

/** `input-required` as `TASK_STATE_INPUT_REQUIRED`. */
export function wireStateOf(state: string): WireState {
  return PREFIX + state.toUpperCase().replaceAll('-', '_');
}

export function hasEnded(state: string): boolean {
  return ENDED.has(state);
}

/** It waits for its caller. */
export function isWaiting(state: string): boolean {
  return state === 'input-required' || state === 'auth-required';
}
