import type { TaskState } from '../../../model/states.ts';

/** A state as A2A 1.0 writes it. */
export function wireState(state: TaskState): string {
  return state === 'unknown' ? 'TASK_STATE_UNSPECIFIED' : `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`;
}
