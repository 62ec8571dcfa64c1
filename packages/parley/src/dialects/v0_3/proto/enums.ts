import type { KnownState, TaskState } from '../../../model/states.ts';
import type { Role } from '../../../model/task.ts';
import { type WireEnum, wireEnum } from '../../wire/values/enums.ts';

const UNSPECIFIED = 'TASK_STATE_UNSPECIFIED';

/** In the order of their numbers (reference: v03 §9). Other than in 1.0, CANCELLED has two Ls. */
const KNOWN_STATES: Readonly<Record<KnownState, string>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELLED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
};

export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = { ...KNOWN_STATES, unknown: UNSPECIFIED };

/** In the order of their numbers. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
};

/** A state that its agent cannot tell is read as in the other form. */
export const TASK_STATES: WireEnum<TaskState> = { ...wireEnum(UNSPECIFIED, KNOWN_STATES), otherwise: 'unknown' };

export const ROLES: WireEnum<Role> = wireEnum('ROLE_UNSPECIFIED', ROLE_NAMES);
/** A role that is not known, in an agent's reply, is the agent's own (reference: mapping §3). */
export const RECEIVED_ROLES: WireEnum<Role> = { ...ROLES, otherwise: 'agent' };
