import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError, type WireError } from '../../model/errors/errors.ts';
import type { FailureReason } from '../../model/errors/failure-reason.ts';
import { JSONRPC_CODES } from '../../model/errors/jsonrpc-codes.ts';
import { textOf } from '../../model/parts.ts';
import { isTask, type Message, type StreamEvent, type Task, type TaskStatus } from '../../model/task.ts';
import type { RpcError } from '../dialect.ts';
import { errorDetails as detailsOf, type ErrorData } from '../v0_3/errors.ts';
import { TASK_STATE_NAMES } from './enums.ts';

/** The one error whose words and data the document shows (S2.10). */
export function rpcError({ code, lists }: WireError): RpcError | undefined {
  if (code !== 'EXTENSION_SUPPORT_REQUIRED') return undefined;
  const { required = [], provided = [] } = lists ?? {};
  return { code: JSONRPC_CODES[code], message: 'Extension support required', data: { required, provided } };
}

const INVALID_RESPONSE: FailureReason = 'invalid-agent-response';

/** A result that no agent may give is an error of its own in the draft (S2.5). */
function invalidResponseIn({ state, message }: TaskStatus): string | undefined {
  const isInvalid = state === 'failed' && message?.metadata?.reason === INVALID_RESPONSE;
  return isInvalid ? textOf(message) : undefined;
}

/** A send that waits for the task gets the error at once. The task is kept, and shows that it failed. */
export function resultError(result: Task | Message): A2AError | undefined {
  const problem = isTask(result) ? invalidResponseIn(result.status) : undefined;
  if (problem === undefined || !isTask(result)) return undefined;
  return new A2AError('INVALID_AGENT_RESPONSE', problem, { metadata: { taskId: result.id } });
}

/** The same at the end of a stream. */
export function eventError(event: StreamEvent): RpcError | undefined {
  const message = event.kind === 'status' ? invalidResponseIn(event.status) : undefined;
  if (message === undefined || event.kind !== 'status') return undefined;
  return { code: JSONRPC_CODES.INVALID_AGENT_RESPONSE, message, data: { taskId: event.taskId } };
}

/** The state that stands in the way is in the draft's spelling too (S2.4). */
export function errorDetails(error: A2AError): ErrorData | undefined {
  const details = detailsOf(error);
  return details?.state === 'canceled' ? { ...details, state: TASK_STATE_NAMES.canceled } : details;
}

/** A received error whose data has lists of texts, with a text for each: the model's facts are texts. */
export function withoutLists(error: unknown): unknown {
  if (!isPlainObject(error) || !isPlainObject(error.data)) return error;
  const facts = Object.entries(error.data).map(([name, value]) => [name, isTexts(value) ? value.join(',') : value]);
  return { ...error, data: Object.fromEntries(facts) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
