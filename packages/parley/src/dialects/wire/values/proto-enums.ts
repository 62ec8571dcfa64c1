import { type KnownState, TASK_STATES } from '../../../model/states.ts';
import type { Role } from '../../../model/task.ts';
import { type WireEnum, wireEnum, withUnspecified } from './enums.ts';

/* Names of enums that the protos of 1.0 and 0.3 share. */

export const UNSPECIFIED_STATE = 'TASK_STATE_UNSPECIFIED';

/** The model has the states in the order of their numbers (reference: v1-data-model, Enums; v03 §9). */
export const KNOWN_STATE_NAMES = Object.fromEntries(
  TASK_STATES.map((state) => [state, `TASK_STATE_${state.toUpperCase().replace('-', '_')}`]),
) as Readonly<Record<KnownState, string>>;

/** In the order of their numbers. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
};

const KNOWN_ROLES: WireEnum<Role> = wireEnum(ROLE_NAMES);
export const ROLES: WireEnum<Role> = /* @__PURE__ */ withUnspecified(KNOWN_ROLES, 'ROLE_UNSPECIFIED');
/** A role that is not known, in an agent's reply, is the agent's own (reference: mapping §3). */
export const RECEIVED_ROLES: WireEnum<Role> = { ...KNOWN_ROLES, otherwise: 'agent' };
