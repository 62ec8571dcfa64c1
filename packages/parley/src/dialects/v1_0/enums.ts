import { type KnownState, TASK_STATES as STATES, type TaskState } from '../../model/states.ts';
import type { Role } from '../../model/task.ts';
import { type WireEnum, wireEnum } from '../wire/values/enums.ts';

const UNSPECIFIED = 'TASK_STATE_UNSPECIFIED';

/** The model has the states in the order of their numbers (reference: v1-data-model, Enums). */
const KNOWN_STATES = Object.fromEntries(
  STATES.map((state) => [state, `TASK_STATE_${state.toUpperCase().replace('-', '_')}`]),
) as Readonly<Record<KnownState, string>>;

export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = { ...KNOWN_STATES, unknown: UNSPECIFIED };

/** In the order of their numbers. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
};

export const TASK_STATES: WireEnum<KnownState> = wireEnum(UNSPECIFIED, KNOWN_STATES);
/** Agents that cannot tell the state say UNSPECIFIED; states that are not known are read alike (reference: mapping §3). */
export const RECEIVED_TASK_STATES: WireEnum<TaskState> = { ...TASK_STATES, otherwise: 'unknown' };
export const ROLES: WireEnum<Role> = wireEnum('ROLE_UNSPECIFIED', ROLE_NAMES);
/** A role that is not known, in an agent's reply, is the agent's own (reference: mapping §3). */
export const RECEIVED_ROLES: WireEnum<Role> = { ...ROLES, otherwise: 'agent' };
