import type { OperationName } from '../../model/operations.ts';
import { PLAIN_METHOD_NAMES } from './plain-methods.ts';

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
