import type { OperationName } from '../../model/operations.ts';

/** JSON-RPC method names, which are the names of the rpcs too (reference: v1-bindings §1). */
export const METHOD_NAMES: Readonly<Record<OperationName, string>> = {
  sendMessage: 'SendMessage',
  sendStreamingMessage: 'SendStreamingMessage',
  getTask: 'GetTask',
  listTasks: 'ListTasks',
  cancelTask: 'CancelTask',
  subscribeToTask: 'SubscribeToTask',
  createPushConfig: 'CreateTaskPushNotificationConfig',
  getPushConfig: 'GetTaskPushNotificationConfig',
  listPushConfigs: 'ListTaskPushNotificationConfigs',
  deletePushConfig: 'DeleteTaskPushNotificationConfig',
  getExtendedCard: 'GetExtendedAgentCard',
};

export const METHODS: ReadonlyMap<string, OperationName> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries(METHOD_NAMES).map(([operation, method]) => [method, operation as OperationName]),
);
