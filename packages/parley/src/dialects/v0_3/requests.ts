import { A2AError } from '../../model/errors/errors.ts';
import type { OperationInputs, PushConfig, SendInput } from '../../model/operations.ts';
import type { Message } from '../../model/task.ts';
import type { Dialect } from '../dialect.ts';
import type { Members, Read } from '../wire/members.ts';
import { NO_MESSAGE } from '../wire/placeholders.ts';
import { readInteger } from '../wire/request-members.ts';
import { decoderOf } from '../wire/requests.ts';
import { NO_PUSH_CONFIG, readPushConfig } from './push-configs.ts';
import { readSentMessage } from './task/messages.ts';

/** 0.3 has no tenants (reference: mapping §13). */
export const TENANT = '';

/** The requests of the JSON-RPC methods (reference: v03 §3). In those about push configs, `id` is the task's. */
export const requests: Dialect['decode'] = {
  sendMessage: decoderOf((members) => readJsonRpcSend(members)),
  sendStreamingMessage: decoderOf((members) => readJsonRpcSend(members)),
  getTask: decoderOf(checkingMetadata(readGetTask)),
  listTasks: refuseList,
  cancelTask: decoderOf(readTaskId),
  subscribeToTask: decoderOf(readTaskId),
  createPushConfig: decoderOf(readSetPushConfig),
  getPushConfig: decoderOf(checkingMetadata(readGetPushConfig)),
  listPushConfigs: decoderOf(checkingMetadata(readListPushConfigs)),
  deletePushConfig: decoderOf(checkingMetadata(readDeletePushConfig)),
  getExtendedCard: decoderOf(readGetExtendedCard),
};

interface SendConfiguration {
  readonly acceptedOutputModes: readonly string[];
  readonly returnImmediately: boolean;
  readonly historyLength?: number | undefined;
  readonly pushConfig?: PushConfig | undefined;
}

const DEFAULT_CONFIGURATION: SendConfiguration = { acceptedOutputModes: [], returnImmediately: false };

/**
 * A send in either JSON form; `request` is the message's name in the proto. `isProto`: writers of that form leave out what
 * is false, so a configuration that does not say `blocking` is not to wait (reference: v03 §6, mapping §7).
 */
export function readSend(readMessage: Read<Message>, isProto: Read<boolean> = () => false): Read<SendInput> {
  return (members) => {
    const read = readConfiguration(!isProto(members));
    const configuration = members.object('configuration', undefined, read) ?? DEFAULT_CONFIGURATION;
    return {
      tenant: TENANT,
      message: members.requiredObject('message', 'request', readMessage, NO_MESSAGE),
      acceptedOutputModes: configuration.acceptedOutputModes,
      returnImmediately: configuration.returnImmediately,
      historyLength: configuration.historyLength,
      pushConfig: configuration.pushConfig,
      metadata: members.struct('metadata'),
    };
  };
}

/** In the JSON types a send waits unless it says `blocking: false` (reference: v03 §6). */
const readJsonRpcSend = readSend(readSentMessage);

export function readGetTask(members: Members): OperationInputs['getTask'] {
  return { tenant: TENANT, id: members.requiredText('id'), historyLength: readHistoryLength(members) };
}

/** Cancel and resubscribe; the resume extension puts its position into the metadata. */
export function readTaskId(members: Members): OperationInputs['cancelTask'] & OperationInputs['subscribeToTask'] {
  return { tenant: TENANT, id: members.requiredText('id'), metadata: members.struct('metadata') };
}

export function readGetExtendedCard(): OperationInputs['getExtendedCard'] {
  return { tenant: TENANT };
}

/** The request's own metadata must be an object, though nothing is done with it (reference: mapping §7). */
function checkingMetadata<Value>(read: Read<Value>): Read<Value> {
  return (members) => {
    members.struct('metadata');
    return read(members);
  };
}

/** Nothing leads here: there is neither a method nor a route for it. */
export function refuseList(): never {
  throw new A2AError('METHOD_NOT_FOUND', 'A2A 0.3 cannot list tasks');
}

/** `waits`: where `blocking` is absent. The proto calls the push config `push_notification`. */
function readConfiguration(waits: boolean): Read<SendConfiguration> {
  return (members) => ({
    acceptedOutputModes: members.texts('acceptedOutputModes', 'accepted_output_modes') ?? [],
    returnImmediately: !(members.value('blocking') === undefined ? waits : members.flag('blocking')),
    historyLength: readHistoryLength(members),
    pushConfig:
      members.object('pushNotificationConfig', 'push_notification_config', readPushConfig) ??
      members.object('pushNotification', 'push_notification', readPushConfig),
  });
}

function readSetPushConfig(members: Members): OperationInputs['createPushConfig'] {
  const name = 'pushNotificationConfig';
  const config = members.requiredObject(name, 'push_notification_config', readPushConfig, NO_PUSH_CONFIG);
  return { tenant: TENANT, config: { ...config, taskId: members.requiredText('taskId', 'task_id') } };
}

/** An empty id asks for the task's first config, as a request that names none does (reference: v03 §6). */
function readGetPushConfig(members: Members): OperationInputs['getPushConfig'] {
  const id = members.text('pushNotificationConfigId', 'push_notification_config_id') ?? '';
  return { tenant: TENANT, taskId: members.requiredText('id'), id };
}

function readListPushConfigs(members: Members): OperationInputs['listPushConfigs'] {
  return { tenant: TENANT, taskId: members.requiredText('id') };
}

function readDeletePushConfig(members: Members): OperationInputs['deletePushConfig'] {
  const id = members.requiredText('pushNotificationConfigId', 'push_notification_config_id');
  return { tenant: TENANT, taskId: members.requiredText('id'), id };
}

/** 0 asks for no history, unset for the server's choice. */
export function readHistoryLength(members: Members): number | undefined {
  return readInteger(members, 'historyLength', 'history_length', 0);
}
