import type { TaskState } from '../../model/states.ts';
import { type WireEnum, withAliases } from '../wire/enums.ts';

export { ROLES } from '../v0_3/enums.ts';

/** The model's names but for one, in the document's order. */
export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = {
  submitted: 'submitted',
  working: 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
  'input-required': 'input-required',
  'auth-required': 'auth-required',
  rejected: 'rejected',
};

const NAMES = Object.entries(TASK_STATE_NAMES) as [TaskState, string][];

/** The spelling of the official versions is read too. */
export const TASK_STATES: WireEnum<TaskState> = withAliases(
  {
    values: new Map<unknown, TaskState>(NAMES.map(([state, name]) => [name, state])),
    unspecified: '',
    expectation: `must be one of ${NAMES.map(([, name]) => name).join(', ')}`,
  },
  [['canceled', 'canceled']],
);
