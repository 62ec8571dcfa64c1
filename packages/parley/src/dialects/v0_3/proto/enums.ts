import type { TaskState } from '../../../model/states.ts';
import type { Role } from '../../../model/task.ts';
import { type WireEnum, wireEnum, withAliases } from '../../wire/enums.ts';

const UNSPECIFIED = 'TASK_STATE_UNSPECIFIED';

/** In the order of their numbers (reference: v03 §9). Other than in 1.0, CANCELLED has two Ls. */
export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELLED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
};

/** In the order of their numbers. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
};

/** A state that its agent cannot tell is read as in the other form. */
export const TASK_STATES: WireEnum<TaskState> = withAliases(wireEnum(UNSPECIFIED, TASK_STATE_NAMES), [
  [UNSPECIFIED, 'working'],
  [0, 'working'],
]);

export const ROLES: WireEnum<Role> = wireEnum('ROLE_UNSPECIFIED', ROLE_NAMES);
