import type { KnownState, TaskState } from '../../model/states.ts';
import { type WireEnum, wireEnum, withUnspecified } from '../wire/values/enums.ts';
import { KNOWN_STATE_NAMES, UNSPECIFIED_STATE } from '../wire/values/proto-enums.ts';

export { RECEIVED_ROLES, ROLE_NAMES, ROLES } from '../wire/values/proto-enums.ts';

export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = {
  ...KNOWN_STATE_NAMES,
  unknown: UNSPECIFIED_STATE,
};

const KNOWN_STATES: WireEnum<KnownState> = wireEnum(KNOWN_STATE_NAMES);
export const TASK_STATES: WireEnum<KnownState> = /* @__PURE__ */ withUnspecified(KNOWN_STATES, UNSPECIFIED_STATE);
/** Agents that cannot tell the state say UNSPECIFIED; states that are not known are read alike (reference: mapping §3). */
export const RECEIVED_TASK_STATES: WireEnum<TaskState> = { ...KNOWN_STATES, otherwise: 'unknown' };
