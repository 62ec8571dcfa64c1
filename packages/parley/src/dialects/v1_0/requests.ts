import { isPlainObject } from '../../model/basics/json.ts';
import type { OperationInputs, PushConfig, PushConfigRef, SendInput } from '../../model/operations.ts';
import type { Dialect } from '../dialect.ts';
import type { Members } from '../wire/members.ts';
import { NO_MESSAGE } from '../wire/placeholders.ts';
import { readEnum, readInstant, readInteger } from '../wire/request-members.ts';
import { decoderOf } from '../wire/requests.ts';
import { TASK_STATES } from './enums.ts';
import { readSentMessage } from './messages.ts';
import { readPushConfig, readPushConfigOfTask } from './push-configs.ts';

/** Page sizes of ListTasks; others are refused, not clamped (reference: v1-operations §7). */
const DEFAULT_PAGE_SIZE = 50;
const LARGEST_PAGE_SIZE = 100;

/** The requests of all operations (reference: v1-data-model, Requests and responses). */
export const requests: Dialect['decode'] = {
  sendMessage: decoderOf(readSend),
  sendStreamingMessage: decoderOf(readSend),
  getTask: decoderOf(readGetTask),
  listTasks: decoderOf(readListTasks),
  cancelTask: decoderOf(readCancelTask),
  subscribeToTask: decoderOf(readSubscribe),
  createPushConfig: decoderOf(readCreatePushConfig),
  getPushConfig: decoderOf(readPushConfigRef),
  listPushConfigs: decoderOf(readListPushConfigs),
  deletePushConfig: decoderOf(readPushConfigRef),
  getExtendedCard: decoderOf(readGetExtendedCard),
};

interface SendConfiguration {
  readonly acceptedOutputModes: readonly string[];
  readonly returnImmediately: boolean;
  readonly historyLength?: number | undefined;
  readonly pushConfig?: PushConfig | undefined;
}

const DEFAULT_CONFIGURATION: SendConfiguration = { acceptedOutputModes: [], returnImmediately: false };

function readSend(members: Members): SendInput {
  const configuration = members.object('configuration', undefined, readConfiguration) ?? DEFAULT_CONFIGURATION;
  return {
    tenant: readTenant(members),
    message: members.requiredObject('message', undefined, readSentMessage, NO_MESSAGE),
    acceptedOutputModes: configuration.acceptedOutputModes,
    returnImmediately: configuration.returnImmediately,
    historyLength: configuration.historyLength,
    pushConfig: configuration.pushConfig,
    metadata: members.struct('metadata'),
  };
}

/** A task id inside the push config is not read: the webhook is for the task that the send results in. */
function readConfiguration(members: Members): SendConfiguration {
  return {
    acceptedOutputModes: members.texts('acceptedOutputModes', 'accepted_output_modes') ?? [],
    returnImmediately: members.flag('returnImmediately', 'return_immediately'),
    historyLength: readHistoryLength(members),
    pushConfig: members.object('taskPushNotificationConfig', 'task_push_notification_config', readPushConfig),
  };
}

function readGetTask(members: Members): OperationInputs['getTask'] {
  return { tenant: readTenant(members), id: members.requiredText('id'), historyLength: readHistoryLength(members) };
}

function readListTasks(members: Members): OperationInputs['listTasks'] {
  return {
    tenant: readTenant(members),
    contextId: members.text('contextId', 'context_id'),
    state: readEnum(members, TASK_STATES, 'status'),
    statusSince: readInstant(members, 'statusTimestampAfter', 'status_timestamp_after'),
    pageSize: readInteger(members, 'pageSize', 'page_size', 1, LARGEST_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE,
    pageToken: members.text('pageToken', 'page_token'),
    historyLength: readHistoryLength(members),
    includeArtifacts: members.flag('includeArtifacts', 'include_artifacts'),
  };
}

function readCancelTask(members: Members): OperationInputs['cancelTask'] {
  return { tenant: readTenant(members), id: members.requiredText('id'), metadata: members.struct('metadata') };
}

/**
 * The schema has no `metadata` here. The resume extension puts its position there; whatever else arrives under that
 * name is an unknown member and is ignored.
 */
function readSubscribe(members: Members): OperationInputs['subscribeToTask'] {
  return {
    tenant: readTenant(members),
    id: members.requiredText('id'),
    metadata: isPlainObject(members.value('metadata')) ? members.struct('metadata') : undefined,
  };
}

/** The flat config is the whole request; its tenant is that of the request. */
function readCreatePushConfig(members: Members): OperationInputs['createPushConfig'] {
  return { tenant: readTenant(members), config: readPushConfigOfTask(members) };
}

function readPushConfigRef(members: Members): PushConfigRef {
  return {
    tenant: readTenant(members),
    taskId: members.requiredText('taskId', 'task_id'),
    id: members.requiredText('id'),
  };
}

/** The page size has implicit presence here: 0 is unset. */
function readListPushConfigs(members: Members): OperationInputs['listPushConfigs'] {
  return {
    tenant: readTenant(members),
    taskId: members.requiredText('taskId', 'task_id'),
    pageSize: readInteger(members, 'pageSize', 'page_size', 0) || undefined,
    pageToken: members.text('pageToken', 'page_token'),
  };
}

function readGetExtendedCard(members: Members): OperationInputs['getExtendedCard'] {
  return { tenant: readTenant(members) };
}

function readTenant(members: Members): string {
  return members.text('tenant') ?? '';
}

/** 0 asks for no history, unset for the server's choice. */
function readHistoryLength(members: Members): number | undefined {
  return readInteger(members, 'historyLength', 'history_length', 0);
}
