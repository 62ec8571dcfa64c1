import { TASK_STATES as STATES, type TaskState } from '../../model/states.ts';
import type { Role } from '../../model/task.ts';
import { plainEnum, type WireEnum } from '../wire/values/enums.ts';

/** States are written as the model names them. Names that are not known are read as `unknown` (reference: mapping §3). */
export const TASK_STATES: WireEnum<TaskState> = {
  ...plainEnum<TaskState>([...STATES, 'unknown']),
  otherwise: 'unknown',
};

export const ROLES: WireEnum<Role> = plainEnum(['user', 'agent']);
/** A role that is not known, in an agent's reply, is the agent's own (reference: mapping §3). */
export const RECEIVED_ROLES: WireEnum<Role> = { ...ROLES, otherwise: 'agent' };
