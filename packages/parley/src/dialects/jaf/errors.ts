import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError, type WireError, type WireErrorCode } from '../../model/errors/errors.ts';
import type { FailureReason } from '../../model/errors/failure-reason.ts';
import { isStreamOperation, type OperationName } from '../../model/operations.ts';
import { textOf } from '../../model/parts.ts';
import type { TaskState } from '../../model/states.ts';
import type { Task, TaskStatus } from '../../model/task.ts';
import type { ErrorCircumstances, RpcError } from '../dialect.ts';
import { errorDetails } from '../v0_3/errors.ts';
import { saidIn } from './task/answers.ts';
import { notesOf } from './task/notes.ts';
import { WIRE_STATES } from './task/states.ts';

/** An error's number in JAF's table and its name there. */
interface ErrorKind {
  readonly code: number;
  readonly type: string;
}

/**
 * The table of the document (seed S1.6). It has no numbers for what A2A added: those mistakes are the caller's (-32602),
 * or of something that is not there (-32601), and `errorType` tells which.
 */
export const ERROR_KINDS: Readonly<Record<WireErrorCode, ErrorKind>> = {
  PARSE_ERROR: { code: -32700, type: 'ParseError' },
  INVALID_REQUEST: { code: -32600, type: 'InvalidRequest' },
  METHOD_NOT_FOUND: { code: -32601, type: 'MethodNotFound' },
  INVALID_PARAMS: { code: -32602, type: 'InvalidParams' },
  INTERNAL: { code: -32603, type: 'InternalError' },
  NOT_FOUND: { code: -32000, type: 'AgentNotFound' },
  TASK_NOT_FOUND: { code: -32001, type: 'TaskNotFound' },
  UNAVAILABLE: { code: -32002, type: 'AgentUnavailable' },
  UNAUTHENTICATED: { code: -32004, type: 'AuthenticationRequired' },
  PERMISSION_DENIED: { code: -32005, type: 'PermissionDenied' },
  OVERLOADED: { code: -32007, type: 'ResourceExhausted' },
  PAYLOAD_TOO_LARGE: { code: -32600, type: 'PayloadTooLarge' },
  METHOD_NOT_ALLOWED: { code: -32600, type: 'MethodNotAllowed' },
  VERSION_NOT_SUPPORTED: { code: -32600, type: 'VersionNotSupported' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32601, type: 'PushNotificationNotSupported' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { code: -32601, type: 'ExtendedAgentCardNotConfigured' },
  TASK_NOT_CANCELABLE: { code: -32602, type: 'TaskNotCancelable' },
  UNSUPPORTED_OPERATION: { code: -32602, type: 'UnsupportedOperation' },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32602, type: 'ContentTypeNotSupported' },
  EXTENSION_SUPPORT_REQUIRED: { code: -32602, type: 'ExtensionSupportRequired' },
  INVALID_AGENT_RESPONSE: { code: -32603, type: 'InvalidAgentResponse' },
};

/** The error for a caller that sends too often; other overloads have `ResourceExhausted`. */
export const RATE_LIMITED: ErrorKind = { code: -32003, type: 'RateLimited' };
export const TIMEOUT: ErrorKind = { code: -32006, type: 'Timeout' };
/** As for a message to a task that has ended: sending it again would not help, and nothing broke. */
const CANCELLED: ErrorKind = { code: -32602, type: 'TaskCancelled' };
const REJECTED: ErrorKind = { code: -32602, type: 'TaskRejected' };
const FAILED: ErrorKind = { code: -32603, type: 'TaskFailed' };

/** The errors of tasks that the engine ended, where the table has a number for them. */
const BY_REASON: ReadonlyMap<unknown, ErrorKind> = new Map<FailureReason, ErrorKind>([
  ['run-timeout', TIMEOUT],
  ['inactivity-timeout', TIMEOUT],
  ['input-timeout', TIMEOUT],
  ['run-lost', ERROR_KINDS.UNAVAILABLE],
  ['server-restarted', ERROR_KINDS.UNAVAILABLE],
  ['server-stopped', ERROR_KINDS.UNAVAILABLE],
]);

/** Facts of a task that came to no answer, on their way through an error; they are not written as they are. */
const ENDED = 'errorType';

/** The error of a task that ended without a reply: in its status, and for the caller that waits for it. */
export function failureOf(status: TaskStatus): RpcError {
  const said = saidIn(status);
  const given = notesOf(said?.metadata).error;
  if (isPlainObject(given)) return given as unknown as RpcError;
  const kind = kindOfEnd(status, said?.metadata?.reason);
  const facts = factsOf(said?.metadata);
  return {
    code: kind.code,
    message: (said && textOf(said)) || `The task is ${WIRE_STATES[status.state]}`,
    data: { ...facts, errorType: kind.type, timestamp: status.timestamp },
  };
}

/** The same as an event of a stream. */
export function failureIn(task: EndedTask): RpcError {
  const failure = failureOf(task.status);
  return isPlainObject(failure.data) ? { ...failure, data: { ...endOf(task), ...failure.data } } : failure;
}

/** The same to throw, where an answer was asked for. */
export function endedWithoutAnswer(task: EndedTask): A2AError {
  const { status } = task;
  const { message } = failureOf(status);
  const { type } = kindOfEnd(status, saidIn(status)?.metadata?.reason);
  const facts = factsOf(saidIn(status)?.metadata);
  return new A2AError('INVALID_AGENT_RESPONSE', message, { metadata: { ...endOf(task), ...facts, [ENDED]: type } });
}

type EndedTask = Pick<Task, 'id' | 'contextId' | 'status'>;

function endOf({ id, contextId, status }: EndedTask) {
  return { taskId: id, contextId, state: WIRE_STATES[status.state] };
}

function kindOfEnd({ state }: TaskStatus, reason: unknown): ErrorKind {
  if (state === 'canceled') return CANCELLED;
  if (state === 'rejected') return REJECTED;
  return BY_REASON.get(reason) ?? FAILED;
}

function factsOf(metadata: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, string>> {
  const facts = ['reason', 'reference'].map((name) => [name, metadata?.[name]] as const);
  return Object.fromEntries(facts.filter((fact): fact is [string, string] => typeof fact[1] === 'string'));
}

/** The members of `data` in the order of the document. */
export function rpcError(error: WireError, about: ErrorCircumstances): RpcError {
  const { code, type } = kindOf(error);
  const isAgentMissing = code === ERROR_KINDS.NOT_FOUND.code;
  const { [ENDED]: _, ...facts } = { ...errorDetails(error) };
  const data = {
    ...facts,
    ...(isState(facts.state) && { state: WIRE_STATES[facts.state] }),
    ...(isAgentMissing && { availableAgents: about.agents }),
    errorType: type,
    timestamp: about.time,
    ...askedBy(about),
  };
  return { code, message: isAgentMissing ? 'Agent not found' : error.message, data };
}

/** An error that is an event of a stream also tells whose request it answers. */
export function streamError(error: RpcError, about: ErrorCircumstances): RpcError {
  return isPlainObject(error.data) ? { ...error, data: { ...error.data, ...askedBy(about) } } : error;
}

function askedBy({ requestId, traceId }: ErrorCircumstances) {
  return { ...(requestId !== null && { requestId }), ...(traceId !== undefined && { traceId }) };
}

function isState(value: unknown): value is TaskState {
  return typeof value === 'string' && Object.hasOwn(WIRE_STATES, value);
}

function kindOf(error: WireError): ErrorKind {
  const { code, metadata } = error;
  if (code === 'INVALID_AGENT_RESPONSE') return ENDS.get(metadata[ENDED]) ?? ERROR_KINDS[code];
  if (code === 'NOT_FOUND' && metadata.agentName === undefined) return ERROR_KINDS.METHOD_NOT_FOUND;
  if (code === 'OVERLOADED' && metadata.limit === 'rate') return RATE_LIMITED;
  // A capability that the agent does not offer is a method that is not there.
  if (code === 'UNSUPPORTED_OPERATION' && metadata.capability !== undefined) {
    return { ...ERROR_KINDS[code], code: ERROR_KINDS.METHOD_NOT_FOUND.code };
  }
  return ERROR_KINDS[code];
}

/** The errors of tasks that ended without a reply, by their names. */
export const ENDS: ReadonlyMap<string | undefined, ErrorKind> = new Map(
  [CANCELLED, REJECTED, FAILED, TIMEOUT, ERROR_KINDS.UNAVAILABLE].map((kind) => [kind.type, kind]),
);

/**
 * Clients of JAF look for the error in the body: an agent that is not there comes with HTTP 200 like all errors, and so
 * does whatever happens to a stream, which has an event for it. A limit refuses the request before there is a stream.
 */
export function rpcStatus({ code, metadata }: WireError, operation: OperationName | undefined): number | undefined {
  if (metadata.limit !== undefined && (code === 'OVERLOADED' || code === 'UNAVAILABLE')) return undefined;
  return code === 'NOT_FOUND' || (operation !== undefined && isStreamOperation(operation)) ? 200 : undefined;
}
