import type { OperationName } from '../../model/operations.ts';

/** reference: v03 §2. Tasks cannot be listed in 0.3. */
export const METHOD_NAMES: Readonly<Record<Exclude<OperationName, 'listTasks'>, string>> = {
  sendMessage: 'message/send',
  sendStreamingMessage: 'message/stream',
  getTask: 'tasks/get',
  cancelTask: 'tasks/cancel',
  subscribeToTask: 'tasks/resubscribe',
  createPushConfig: 'tasks/pushNotificationConfig/set',
  getPushConfig: 'tasks/pushNotificationConfig/get',
  listPushConfigs: 'tasks/pushNotificationConfig/list',
  deletePushConfig: 'tasks/pushNotificationConfig/delete',
  getExtendedCard: 'agent/getAuthenticatedExtendedCard',
};

export const METHODS: ReadonlyMap<string, OperationName> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries(METHOD_NAMES).map(([operation, method]) => [method, operation as OperationName]),
);
