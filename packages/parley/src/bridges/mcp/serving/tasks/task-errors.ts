import { isA2AError } from '../../../../model/errors/errors.ts';
import type { BridgeParts } from '../calls/tool-call.ts';
import type { McpServerPackage } from '../packages.ts';
import type { TaskPlace } from './task-ids.ts';

/** Failures that are the client's. All others may pass, and a client that took them for its own would forget the task. */
const CLIENT_FAULTS: readonly string[] = ['TASK_NOT_FOUND', 'TASK_NOT_CANCELABLE', 'INVALID_PARAMS'];

/** The failure of a request about a task, as an error of the protocol. */
export function taskError(error: unknown, { agent }: TaskPlace, parts: BridgeParts, sdk: McpServerPackage): Error {
  const { ProtocolError, ProtocolErrorCode } = sdk;
  const isClients = isA2AError(error) && CLIENT_FAULTS.includes(error.code);
  const code = isClients ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, parts.explain(error, agent.url));
}
