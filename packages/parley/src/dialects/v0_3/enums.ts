import { TASK_STATES as STATES, type TaskState } from '../../model/states.ts';
import type { Role } from '../../model/task.ts';
import { plainEnum, type WireEnum, withAliases } from '../wire/enums.ts';

/**
 * States are written as the model names them. The ninth, `unknown`, has no place in the model: a task whose state its
 * agent cannot tell is followed like one that is working (reference: mapping §13).
 */
export const TASK_STATES: WireEnum<TaskState> = withAliases(plainEnum(STATES), [['unknown', 'working']]);

export const ROLES: WireEnum<Role> = plainEnum(['user', 'agent']);
