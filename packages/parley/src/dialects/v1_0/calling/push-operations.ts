import type { PushConfigPage, PushOperationName } from '../../../model/operations.ts';
import type { CallingDialect, ResultDecoders } from '../../calling/calling.ts';
import { readAnswer } from '../../wire/answers.ts';
import type { Members } from '../../wire/members.ts';
import { type PushRestWriters, pushRestWriters } from '../../wire/push-rest-calls.ts';
import { encodePushConfig, readReceivedPushConfig } from '../push-configs.ts';
import { PATHS } from '../rest.ts';
import { routed } from './request-writers.ts';

/** The operations on webhooks, apart from the others: browsers have no use for them. */
export const pushRequestWriters: Pick<CallingDialect['encodeRequest'], PushOperationName> = {
  createPushConfig: (input) => routed(input, encodePushConfig(input.config)),
  getPushConfig: ({ taskId, id, ...input }) => routed(input, { taskId, id }),
  listPushConfigs: ({ taskId, pageSize, pageToken, ...input }) => routed(input, { taskId, pageSize, pageToken }),
  deletePushConfig: ({ taskId, id, ...input }) => routed(input, { taskId, id }),
};

export const restPushWriters: PushRestWriters = pushRestWriters(PATHS, (config) =>
  encodePushConfig({ ...config, taskId: undefined }),
);

export const decodePushResult: Pick<ResultDecoders, PushOperationName> = {
  createPushConfig: (result, { config }) => readAnswer(result, readReceivedPushConfig(config.taskId), 'config'),
  getPushConfig: (result, { taskId }) => readAnswer(result, readReceivedPushConfig(taskId), 'config'),
  listPushConfigs: (result, { taskId }) => readAnswer(result, readPushConfigPage(taskId), 'page'),
  deletePushConfig: () => undefined,
};

function readPushConfigPage(taskId: string): (members: Members) => PushConfigPage {
  return (members) => ({
    configs: members.list('configs', undefined, readReceivedPushConfig(taskId)),
    nextPageToken: members.text('nextPageToken', 'next_page_token') ?? '',
  });
}
