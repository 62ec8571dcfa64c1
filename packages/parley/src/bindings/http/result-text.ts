import type { Dialect } from '../../dialects/dialect.ts';
import type { OperationInputs, OperationResults, UnaryOperationName } from '../../model/operations.ts';
import type { Message, Task } from '../../model/task.ts';

interface Written {
  readonly dialect: Dialect;
  readonly text: string;
}

/** The last text of each task that does not change any more. */
const lastWritten: WeakMap<Task, Written> = new WeakMap();

/**
 * A result as JSON. A frozen task is one that will be asked for again: its text is kept with it. Throws the error that the
 * dialect has in the place of a result.
 */
export function resultText<Name extends UnaryOperationName>(
  dialect: Dialect,
  operation: Name,
  result: OperationResults[Name],
  input: OperationInputs[Name],
): string {
  const error = operation === 'sendMessage' && dialect.quirks?.resultError?.(result as Task | Message);
  if (error) throw error;
  // A request that asks for a length of history may get another text of the same task.
  const isPlain = operation === 'getTask' && (input as OperationInputs['getTask']).historyLength === undefined;
  if (!isPlain || !Object.isFrozen(result)) {
    return JSON.stringify(dialect.encode[operation](result, input));
  }
  const task = result as Task;
  const written = lastWritten.get(task);
  if (written?.dialect === dialect) return written.text;
  const text = JSON.stringify(dialect.encode[operation](result, input));
  lastWritten.set(task, { dialect, text });
  return text;
}
