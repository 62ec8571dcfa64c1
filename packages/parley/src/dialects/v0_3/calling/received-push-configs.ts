import type { PushConfig, PushConfigPage } from '../../../model/operations.ts';
import { readAnswer } from '../../wire/answers.ts';
import type { Members, Read } from '../../wire/members.ts';
import { NO_PUSH_CONFIG, readPushConfig } from '../push-configs.ts';

const CONFIG_NAME = /^tasks\/([^/]+)\/pushNotificationConfigs\/([^/]*)$/;

/**
 * A config in a server's answer: `{taskId, pushNotificationConfig}`, `{name, pushNotificationConfig}` or the config
 * itself (reference: v03 §3, §8). `taskId` stands in where it does not name its task.
 */
export function readReceivedPushConfig(taskId: string): Read<PushConfig> {
  return (members) => {
    const [, namedTask, namedId] = CONFIG_NAME.exec(members.text('name') ?? '') ?? [];
    const config = readWrapped(members);
    return {
      url: config.url,
      id: config.id ?? (namedId || undefined),
      taskId: members.text('taskId', 'task_id') ?? namedTask ?? taskId,
      token: config.token,
      authentication: config.authentication,
    };
  };
}

/** A list, or the page that the proto has. */
export function decodePushConfigPage(result: unknown, taskId: string): PushConfigPage {
  const page = Array.isArray(result) ? { configs: result } : result;
  return readAnswer(page, readPage(taskId), 'page');
}

function readWrapped(members: Members): PushConfig {
  const name = 'pushNotificationConfig';
  const snakeName = 'push_notification_config';
  if (members.value(name, snakeName) === undefined) return readPushConfig(members);
  return members.object(name, snakeName, readPushConfig) ?? NO_PUSH_CONFIG;
}

function readPage(taskId: string): Read<PushConfigPage> {
  return (members) => ({
    configs: members.list('configs', undefined, readReceivedPushConfig(taskId)),
    nextPageToken: members.text('nextPageToken', 'next_page_token') ?? '',
  });
}
