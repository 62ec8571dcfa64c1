import type { OperationName } from '../../model/operations.ts';
import { PLAIN_METHOD_NAMES } from './plain-methods.ts';

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
