import type { WireError, WireErrorCode } from '../../../model/errors/errors.ts';
import type { FailureReason } from '../../../model/errors/failure-reason.ts';
import { JSONRPC_CODES } from '../../../model/errors/jsonrpc-codes.ts';
import type { TaskStatus } from '../../../model/task.ts';
import type { ErrorCircumstances, RpcError } from '../../dialect.ts';
import { errorDetails } from '../errors.ts';
import { brokenText } from '../rest/broken.ts';

/** The document's own table, whose numbers mean something else than the official ones (seed S0.10). */
export const OWN_CODES = {
  inputTimeout: -32001,
  toolFailed: -32002,
  contextNotFound: -32003,
  taskNotFound: -32004,
} as const;

const { INVALID_REQUEST, INVALID_PARAMS, METHOD_NOT_FOUND } = JSONRPC_CODES;

/** Errors whose official numbers mean something else here have the general number that fits. */
const CODES: Partial<Readonly<Record<WireErrorCode, readonly [code: number, message: string]>>> = {
  PARSE_ERROR: [JSONRPC_CODES.PARSE_ERROR, 'Parse error'],
  INVALID_REQUEST: [INVALID_REQUEST, 'Invalid Request'],
  METHOD_NOT_FOUND: [METHOD_NOT_FOUND, 'Method not found'],
  INVALID_PARAMS: [INVALID_PARAMS, 'Invalid params'],
  TASK_NOT_FOUND: [OWN_CODES.taskNotFound, 'Task not found'],
  TASK_NOT_CANCELABLE: [INVALID_PARAMS, 'Invalid params'],
  UNSUPPORTED_OPERATION: [INVALID_PARAMS, 'Invalid params'],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [METHOD_NOT_FOUND, 'Method not found'],
};

const INPUT_TIMEOUT: FailureReason = 'input-timeout';
const TOOL_FAILED: FailureReason = 'tool-failed';

const JSON_RPC_DEMAND = 'Must be valid JSON-RPC 2.0';

export function rpcError(error: WireError, { method }: ErrorCircumstances): RpcError | undefined {
  if (isAboutContext(error)) {
    return { code: OWN_CODES.contextNotFound, message: 'Context not found', data: { reason: error.message } };
  }
  if (error.code === 'PERMISSION_DENIED' && error.metadata.skill !== undefined) {
    // The document's text (seed S0.13).
    const message = `Forbidden: Insufficient permissions for skill '${error.metadata.skill}'`;
    return { code: JSONRPC_CODES.INTERNAL, message, data: dataOf(error) };
  }
  const known = CODES[error.code];
  if (!known) return undefined;
  const [code, message] = known;
  return { code, message, data: error.code === 'METHOD_NOT_FOUND' ? { method } : dataOf(error) };
}

/** A broken envelope is also a bad request of HTTP (seed S0.5). */
export function rpcStatus({ code }: WireError): number | undefined {
  return code === 'INVALID_REQUEST' || code === 'PARSE_ERROR' ? 400 : undefined;
}

/** A task that failed for want of its client, or because the agent broke: an error instead of its last status. */
export function failureOf(taskId: string, status: TaskStatus): RpcError | undefined {
  const { state, message } = status;
  if (state !== 'failed' || !message) return undefined;
  const { reason, timeoutSeconds } = message.metadata ?? {};
  if (reason === INPUT_TIMEOUT) {
    const data = { taskId, ...(typeof timeoutSeconds === 'number' && { timeoutSeconds }) };
    return { code: OWN_CODES.inputTimeout, message: 'Input timeout', data };
  }
  if (reason === TOOL_FAILED) return { code: OWN_CODES.toolFailed, message: 'Tool execution failed', data: { taskId } };
  // The document's server says this where its agent throws (seed S0.5).
  const error = brokenText(status);
  return error === undefined ? undefined : { code: JSONRPC_CODES.INTERNAL, message: 'Internal error', data: { error } };
}

function dataOf(error: WireError): unknown {
  const details = errorDetails(error);
  if (error.code === 'INVALID_REQUEST') return { reason: JSON_RPC_DEMAND, detail: error.message };
  if (error.code === 'TASK_NOT_FOUND') return details;
  return { reason: error.code === 'INVALID_PARAMS' ? reasonOf(error) : error.message, ...details };
}

function reasonOf({ violations, message }: WireError): string {
  const summary = violations.map(({ field, description }) => `${field} ${description}`).join('; ');
  return summary || message;
}

/** The task is of another context than the message says; a context that cannot be read is no context. */
function isAboutContext({ code, violations: [violation, ...others] }: WireError): boolean {
  const isOf = violation?.field === 'message.contextId' && !violation.description.includes('at most');
  return code === 'INVALID_PARAMS' && isOf && others.length === 0;
}
