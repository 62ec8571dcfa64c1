import type { ErrorSubject } from '../../model/errors/http-status-codes.ts';
import type { OperationInputs, OperationName } from '../../model/operations.ts';

/** All but lists, cards and messages that begin something are about a task. */
export function subjectOf<Name extends OperationName>(operation: Name, input: OperationInputs[Name]): ErrorSubject {
  const namesTask = 'message' in input ? input.message.taskId !== undefined : 'id' in input || 'taskId' in input;
  return { operation, namesTask: namesTask || 'config' in input };
}
