import type { TaskState } from '../../../model/states.ts';

/** The five states that JAF has. */
export type WireState = 'submitted' | 'working' | 'completed' | 'failed' | 'cancelled';

/** A task that waits for its caller is one that is not done, and a rejected one has failed (seed S1.4). */
export const WIRE_STATES: Readonly<Record<TaskState, WireState>> = {
  submitted: 'submitted',
  working: 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
  'input-required': 'working',
  rejected: 'failed',
  'auth-required': 'working',
  unknown: 'working',
};

/** The states that JAF cannot name; they are noted beside the message of the status. */
export const UNNAMED_STATES: readonly TaskState[] = ['input-required', 'auth-required', 'rejected', 'unknown'];
