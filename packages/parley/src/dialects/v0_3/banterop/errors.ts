import type { WireError } from '../../../model/errors/errors.ts';
import { JSONRPC_CODES } from '../../../model/errors/jsonrpc-codes.ts';
import type { OperationName } from '../../../model/operations.ts';
import type { ErrorCircumstances, RpcError } from '../../dialect.ts';

/** The report has no code of its own for a task that cannot go on: it takes that of one that cannot be canceled. */
export function rpcError(error: WireError, { operation }: ErrorCircumstances): RpcError | undefined {
  if (!isSend(operation) || error.code !== 'UNSUPPORTED_OPERATION' || error.metadata.state === undefined)
    return undefined;
  return { code: JSONRPC_CODES.TASK_NOT_CANCELABLE, message: error.message };
}

export function isSend(operation: OperationName | undefined): boolean {
  return operation === 'sendMessage' || operation === 'sendStreamingMessage';
}
