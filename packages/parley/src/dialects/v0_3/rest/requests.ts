import type { OperationInputs, PushConfig, PushConfigRef } from '../../../model/operations.ts';
import type { Message } from '../../../model/task.ts';
import type { Dialect } from '../../dialect.ts';
import type { Members, Read } from '../../wire/members.ts';
import { readInteger } from '../../wire/request-members.ts';
import { decoderOf } from '../../wire/requests.ts';
import { readPushConfig } from '../push-configs.ts';
import { readGetExtendedCard, readGetTask, readSend, readTaskId, refuseList, TENANT } from '../requests.ts';

/**
 * The requests of the REST routes in one form (reference: v03 §8). Parameters of body, query and path come as one
 * object, where those of the path have the names of 1.0: `id` for a task, `taskId` and `id` for a push config. The
 * resource names that bodies may have beside them (`name`, `parent`) are passed over: the path says the same.
 */
export function restRequests(readMessage: Read<Message>, isProto: Read<boolean>): Dialect['decode'] {
  const send = readSend(readMessage, isProto);
  return {
    sendMessage: decoderOf(send),
    sendStreamingMessage: decoderOf(send),
    getTask: decoderOf(readGetTask),
    listTasks: refuseList,
    cancelTask: decoderOf(readTaskId),
    subscribeToTask: decoderOf(readTaskId),
    createPushConfig: decoderOf(readCreatePushConfig),
    getPushConfig: decoderOf(readPushConfigRef),
    listPushConfigs: decoderOf(readListPushConfigs),
    deletePushConfig: decoderOf(readPushConfigRef),
    getExtendedCard: decoderOf(readGetExtendedCard),
  };
}

/** All shapes of the body that are in use: the config itself, or in one or two wrappers. */
function readCreatePushConfig(members: Members): OperationInputs['createPushConfig'] {
  const taskId = members.requiredText('taskId', 'task_id');
  const requestedId = members.text('configId', 'config_id');
  const config =
    members.value('config') === undefined
      ? readWrappedConfig(members)
      : (members.object('config', undefined, readWrappedConfig) ?? { url: '' });
  return { tenant: TENANT, config: { ...config, id: config.id ?? requestedId, taskId } };
}

/** `{"name", "pushNotificationConfig": …}`, the same with `taskId`, or the bare config. */
function readWrappedConfig(members: Members): PushConfig {
  if (members.value('pushNotificationConfig', 'push_notification_config') === undefined) return readPushConfig(members);
  const config = members.object('pushNotificationConfig', 'push_notification_config', readPushConfig) ?? { url: '' };
  return { ...config, id: config.id ?? idOfName(members) };
}

const CONFIG_NAME = /^tasks\/[^/]+\/pushNotificationConfigs\/([^/]+)$/;

function idOfName(members: Members): string | undefined {
  return CONFIG_NAME.exec(members.text('name', undefined, 'fieldLength') ?? '')?.[1];
}

function readPushConfigRef(members: Members): PushConfigRef {
  return { tenant: TENANT, taskId: members.requiredText('taskId', 'task_id'), id: members.requiredText('id') };
}

function readListPushConfigs(members: Members): OperationInputs['listPushConfigs'] {
  return {
    tenant: TENANT,
    taskId: members.requiredText('taskId', 'task_id'),
    pageSize: readInteger(members, 'pageSize', 'page_size', 0) || undefined,
    pageToken: members.text('pageToken', 'page_token'),
  };
}
