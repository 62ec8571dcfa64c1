import type { KnownState, TaskState } from '../../../model/states.ts';
import { type WireEnum, wireEnum } from '../../wire/values/enums.ts';
import { KNOWN_STATE_NAMES } from '../../wire/values/proto-enums.ts';

export { RECEIVED_ROLES, ROLE_NAMES, ROLES, UNSPECIFIED_STATE } from '../../wire/values/proto-enums.ts';

/** Other than in 1.0, CANCELLED has two Ls (reference: v03 §9). */
export const KNOWN_STATES: Readonly<Record<KnownState, string>> = {
  ...KNOWN_STATE_NAMES,
  canceled: 'TASK_STATE_CANCELLED',
};

/** A state that its agent cannot tell is read as in the other form. */
export const TASK_STATES: WireEnum<TaskState> = { ...wireEnum(KNOWN_STATES), otherwise: 'unknown' };
