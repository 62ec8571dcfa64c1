import type { KnownState, TaskState } from '../../model/states.ts';
import { type WireEnum, withAliases } from '../wire/values/enums.ts';

export { RECEIVED_ROLES, ROLES } from '../v0_3/enums.ts';

/** The model's names but for one, in the document's order. */
const KNOWN_STATES: Readonly<Record<KnownState, string>> = {
  submitted: 'submitted',
  working: 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
  'input-required': 'input-required',
  'auth-required': 'auth-required',
  rejected: 'rejected',
};

/** The document has no ninth state; that of 0.3 is written for a state that an agent cannot tell. */
export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = { ...KNOWN_STATES, unknown: 'unknown' };

const NAMES = Object.entries(KNOWN_STATES) as [TaskState, string][];

/** The spelling of the official versions is read too; in answers other names are read as `unknown`. */
export const TASK_STATES: WireEnum<TaskState> = withAliases(
  {
    values: new Map<unknown, TaskState>(NAMES.map(([state, name]) => [name, state])),
    unspecified: '',
    expectation: `must be one of ${NAMES.map(([, name]) => name).join(', ')}`,
    otherwise: 'unknown',
  },
  [['canceled', 'canceled']],
);
