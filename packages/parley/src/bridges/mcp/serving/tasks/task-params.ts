import type { StandardSchemaV1 } from '@modelcontextprotocol/server';
import { isPlainObject } from '../../../../model/basics/json.ts';

interface TaskParams {
  readonly taskId: string;
}

/** The parameters of requests about a task. */
export const TASK_PARAMS: StandardSchemaV1<TaskParams> = {
  '~standard': {
    version: 1,
    vendor: 'parley',
    validate: (value) =>
      isPlainObject(value) && typeof value.taskId === 'string'
        ? { value: { taskId: value.taskId } }
        : { issues: [{ message: 'must be a text', path: ['taskId'] }] },
  },
};
