import type { PushOperationName } from '../../../model/operations.ts';
import type { CallingDialect, ResultDecoders } from '../../calling/calling.ts';
import { readAnswer } from '../../wire/answers.ts';
import { type PushRestWriters, pushRestWriters } from '../../wire/push-rest-calls.ts';
import { encodeCreatePushConfig, encodeTaskPushConfig as encodeNamedPushConfig } from '../proto/push-configs.ts';
import { encodeTaskPushConfig } from '../push-configs.ts';
import { PATHS } from '../rest/forms.ts';
import { decodePushConfigPage, readReceivedPushConfig } from './received-push-configs.ts';

/** The operations on webhooks, apart from the others: browsers have no use for them. */
export const pushRequestWriters: Pick<CallingDialect['encodeRequest'], PushOperationName> = {
  createPushConfig: ({ config }) => encodeTaskPushConfig(config),
  getPushConfig: ({ taskId, id }) => ({ id: taskId, pushNotificationConfigId: id === '' ? undefined : id }),
  listPushConfigs: ({ taskId }) => ({ id: taskId }),
  deletePushConfig: ({ taskId, id }) => ({ id: taskId, pushNotificationConfigId: id }),
};

const rest: PushRestWriters = pushRestWriters(PATHS, encodeCreatePushConfig);

export const restPushWriters: PushRestWriters = {
  ...rest,
  createPushConfig: (input) => ({ ...rest.createPushConfig(input), otherBody: encodeNamedPushConfig(input.config) }),
};

export const decodePushResult: Pick<ResultDecoders, PushOperationName> = {
  createPushConfig: (result, { config }) => readAnswer(result, readReceivedPushConfig(config.taskId), 'config'),
  getPushConfig: (result, { taskId }) => readAnswer(result, readReceivedPushConfig(taskId), 'config'),
  listPushConfigs: (result, { taskId }) => decodePushConfigPage(result, taskId),
  deletePushConfig: () => undefined,
};
