import { TERMINAL_STATES as STATES } from '../model/states.ts';

/** States that are never left, each as a type of its own. */
export const TERMINAL_STATES = STATES as readonly ['completed', 'failed', 'canceled', 'rejected'];
