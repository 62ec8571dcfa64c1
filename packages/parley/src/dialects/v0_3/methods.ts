import type { OperationName, PushOperationName } from '../../model/operations.ts';

/** reference: v03 §2. Tasks cannot be listed in 0.3. */
export const PLAIN_METHOD_NAMES: Readonly<Record<Exclude<OperationName, PushOperationName | 'listTasks'>, string>> = {
  sendMessage: 'message/send',
  sendStreamingMessage: 'message/stream',
  getTask: 'tasks/get',
  cancelTask: 'tasks/cancel',
  subscribeToTask: 'tasks/resubscribe',
  getExtendedCard: 'agent/getAuthenticatedExtendedCard',
};

/** With the operations on webhooks. */
export const METHOD_NAMES: Readonly<Record<Exclude<OperationName, 'listTasks'>, string>> = {
  ...PLAIN_METHOD_NAMES,
  createPushConfig: 'tasks/pushNotificationConfig/set',
  getPushConfig: 'tasks/pushNotificationConfig/get',
  listPushConfigs: 'tasks/pushNotificationConfig/list',
  deletePushConfig: 'tasks/pushNotificationConfig/delete',
};

export const METHODS: ReadonlyMap<string, OperationName> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries(METHOD_NAMES).map(([operation, method]) => [method, operation as OperationName]),
);
