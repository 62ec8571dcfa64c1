import { isPlainObject } from '../../../model/basics/json.ts';
import { A2AError, type A2AErrorCode, type WireErrorCode } from '../../../model/errors/errors.ts';
import type { OperationName } from '../../../model/operations.ts';
import type { Task } from '../../../model/task.ts';
import { readJsonRpcError } from '../../wire/errors/received-errors.ts';
import { ENDS, ERROR_KINDS, RATE_LIMITED, TIMEOUT } from '../errors.ts';
import { TASK_STATES } from './received.ts';

/** The type is clearer than the number, which several share. */
const BY_TYPE: ReadonlyMap<unknown, A2AErrorCode> = new Map<unknown, A2AErrorCode>([
  ...(Object.entries(ERROR_KINDS) as [WireErrorCode, { readonly type: string }][]).map(
    ([code, { type }]) => [type, code] as const,
  ),
  [RATE_LIMITED.type, 'OVERLOADED'],
  [TIMEOUT.type, 'TIMEOUT'],
]);

/** The numbers that mean something else than in A2A (seed S1, Standard Error Codes). */
const BY_NUMBER: ReadonlyMap<unknown, A2AErrorCode> = new Map<unknown, A2AErrorCode>([
  [-32000, 'NOT_FOUND'],
  [-32001, 'TASK_NOT_FOUND'],
  [-32002, 'UNAVAILABLE'],
  [-32003, 'OVERLOADED'],
  [-32004, 'UNAUTHENTICATED'],
  [-32005, 'PERMISSION_DENIED'],
  [-32006, 'TIMEOUT'],
  [-32007, 'OVERLOADED'],
]);

/** A JSON-RPC error of JAF. One that tells of a task which came to no answer brings that task. */
export function decodeError(error: unknown, operation: OperationName): A2AError {
  const general = readJsonRpcError(error, operation);
  const members = isPlainObject(error) ? error : {};
  const data = isPlainObject(members.data) ? members.data : {};
  const { message, metadata, violations } = general;
  const task = taskIn(data, message);
  if (task) return new A2AError('TASK_NOT_COMPLETED', message, { metadata, violations, task });
  const code = BY_TYPE.get(data.errorType) ?? BY_NUMBER.get(members.code) ?? general.code;
  return new A2AError(code, message, {
    metadata,
    violations,
    reason: code === general.code ? general.reason : undefined,
  });
}

function taskIn(data: Readonly<Record<string, unknown>>, text: string): Task | undefined {
  const { taskId, contextId, state, timestamp, errorType } = data;
  // Refusals name the state of the task as well: one that has ended cannot be canceled, or told anything more.
  if (typeof errorType === 'string' && !ENDS.has(errorType)) return undefined;
  const known = TASK_STATES.values.get(state);
  if (typeof taskId !== 'string' || (known !== 'failed' && known !== 'canceled')) return undefined;
  const context = typeof contextId === 'string' ? contextId : '';
  const said = { messageId: `${taskId}-error`, role: 'agent', parts: [{ kind: 'text', text }] } as const;
  const reason = typeof data.reason === 'string' ? { metadata: { reason: data.reason } } : {};
  const time = typeof timestamp === 'string' ? timestamp : '';
  const status = { state: known, message: { ...said, taskId, ...reason }, timestamp: time };
  return { id: taskId, contextId: context, status, artifacts: [], history: [] };
}
