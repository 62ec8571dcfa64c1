import type { TaskState } from '../../model/states.ts';
import type { Role } from '../../model/task.ts';
import { type WireEnum, wireEnum, withAliases } from '../wire/enums.ts';

/** In the order of their numbers (reference: v1-data-model, Enums). */
export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
};

/** In the order of their numbers. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
};

const UNSPECIFIED = 'TASK_STATE_UNSPECIFIED';
export const TASK_STATES: WireEnum<TaskState> = wireEnum(UNSPECIFIED, TASK_STATE_NAMES);
/** A task whose state its agent cannot tell is followed like one that is working, as in 0.3 (reference: mapping §3). */
export const RECEIVED_TASK_STATES: WireEnum<TaskState> = withAliases(TASK_STATES, [
  [UNSPECIFIED, 'working'],
  [0, 'working'],
]);
export const ROLES: WireEnum<Role> = wireEnum('ROLE_UNSPECIFIED', ROLE_NAMES);
