import type { TaskState } from '../../model/states.ts';
import type { Role } from '../../model/task.ts';
import { type WireEnum, wireEnum } from '../wire/enums.ts';

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

export const TASK_STATES: WireEnum<TaskState> = wireEnum('TASK_STATE_UNSPECIFIED', TASK_STATE_NAMES);
export const ROLES: WireEnum<Role> = wireEnum('ROLE_UNSPECIFIED', ROLE_NAMES);
