/** The life of a task (reference: v1-operations §12). */
export const TASK_STATES = [
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
] as const;

export type KnownState = (typeof TASK_STATES)[number];

/**
 * A state that a task may be seen in. `unknown` is only ever another agent's: it cannot tell the state, or calls it by a name
 * that is not known here. Such a task has neither ended nor does it wait; nothing says that it will go on.
 */
export type TaskState = KnownState | 'unknown';

export type TerminalState = 'completed' | 'failed' | 'canceled' | 'rejected';
export type InterruptedState = 'input-required' | 'auth-required';

/** States that are never left. */
export const TERMINAL_STATES: readonly TaskState[] = ['completed', 'failed', 'canceled', 'rejected'];

export function isTerminal(state: TaskState): state is TerminalState {
  return state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

/** The task waits for the client's side: for input or for an authorization. */
export function isInterrupted(state: TaskState): state is InterruptedState {
  return state === 'input-required' || state === 'auth-required';
}

/** The agent's turn has ended in these states. */
export function endsTurn(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}

/**
 * True where a task may change from one state to the other. A terminal state is final, no state returns to submitted,
 * and our own tasks never become unknown; every other change is allowed, the same state again included (a new message
 * or time).
 */
export function canTransition(from: TaskState, to: TaskState): boolean {
  return !isTerminal(from) && to !== 'submitted' && to !== 'unknown';
}
