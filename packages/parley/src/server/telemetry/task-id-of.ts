import type { OperationInputs, OperationName } from '../../model/operations.ts';

/** The task that the parameters of an operation name; undefined where they name none. */
export function taskIdOf(input: OperationInputs[OperationName]): string | undefined {
  if ('message' in input) return input.message.taskId;
  if ('taskId' in input) return input.taskId;
  if ('config' in input) return input.config.taskId;
  return 'id' in input ? input.id : undefined;
}
