import type { OperationName, PushOperationName } from '../../model/operations.ts';

/** JSON-RPC method names, which are the names of the rpcs too (reference: v1-bindings §1). */
export const PLAIN_METHOD_NAMES: Readonly<Record<Exclude<OperationName, PushOperationName>, string>> = {
  sendMessage: 'SendMessage',
  sendStreamingMessage: 'SendStreamingMessage',
  getTask: 'GetTask',
  listTasks: 'ListTasks',
  cancelTask: 'CancelTask',
  subscribeToTask: 'SubscribeToTask',
  getExtendedCard: 'GetExtendedAgentCard',
};
