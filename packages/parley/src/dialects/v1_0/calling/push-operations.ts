import type {
  ListPushConfigsInput,
  PushConfigPage,
  PushConfigRef,
  PushOperationName,
} from '../../../model/operations.ts';
import type { CallingDialect, ResultDecoders } from '../../calling.ts';
import { readAnswer } from '../../wire/answers.ts';
import type { Members } from '../../wire/members.ts';
import { encodePushConfig, readReceivedPushConfig } from '../push-configs.ts';
import { routed } from './request-writers.ts';

/** The operations on webhooks, apart from the others: browsers have no use for them. */
export const pushRequestWriters: Pick<CallingDialect['encodeRequest'], PushOperationName> = {
  createPushConfig: (input) => routed(input, encodePushConfig(input.config)),
  getPushConfig: (input) => routed(input, encodeRef(input)),
  listPushConfigs: (input) => routed(input, { taskId: input.taskId, ...encodePage(input) }),
  deletePushConfig: (input) => routed(input, encodeRef(input)),
};

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

export function encodePage({
  pageSize,
  pageToken,
}: ListPushConfigsInput): Readonly<Record<string, string | number | undefined>> {
  return { pageSize, pageToken };
}

function encodeRef({ taskId, id }: PushConfigRef): object {
  return { taskId, id };
}
