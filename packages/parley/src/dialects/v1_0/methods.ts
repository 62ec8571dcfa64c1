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

/** With the operations on webhooks. */
export const METHOD_NAMES: Readonly<Record<OperationName, string>> = {
  ...PLAIN_METHOD_NAMES,
  createPushConfig: 'CreateTaskPushNotificationConfig',
  getPushConfig: 'GetTaskPushNotificationConfig',
  listPushConfigs: 'ListTaskPushNotificationConfigs',
  deletePushConfig: 'DeleteTaskPushNotificationConfig',
};

export const METHODS: ReadonlyMap<string, OperationName> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries(METHOD_NAMES).map(([operation, method]) => [method, operation as OperationName]),
);
