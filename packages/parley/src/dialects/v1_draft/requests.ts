import { isPlainObject } from '../../model/basics/json.ts';
import type { ListTasksInput, OperationInputs, PushConfig, PushConfigRef, SendInput } from '../../model/operations.ts';
import type { TaskState } from '../../model/states.ts';
import type { Dialect } from '../dialect.ts';
import { NO_PUSH_CONFIG, readPushConfig } from '../v0_3/push-configs.ts';
import type { Members } from '../wire/members.ts';
import { NO_MESSAGE } from '../wire/placeholders.ts';
import { readInteger } from '../wire/request-members.ts';
import { decoderOf } from '../wire/requests.ts';
import { decodeCursor } from './cursors.ts';
import { TASK_STATES } from './enums.ts';
import { readSentMessage } from './messages.ts';

/** Sizes of pages; others are refused (seed S2, Pagination). */
const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;

/** The draft has no tenants. */
const TENANT = '';

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
  getExtendedCard: () => ({ tenant: TENANT }),
};

interface SendConfiguration {
  readonly acceptedOutputModes: readonly string[];
  readonly returnImmediately: boolean;
  readonly historyLength?: number | undefined;
  readonly pushConfig?: PushConfig | undefined;
}

const DEFAULT_CONFIGURATION: SendConfiguration = { acceptedOutputModes: [], returnImmediately: false };

/** The answer is always a task: the document has no other (S2.2). What it references is of its context (S2.8). */
function readSend(members: Members): SendInput {
  const configuration = members.object('configuration', undefined, readConfiguration) ?? DEFAULT_CONFIGURATION;
  return {
    tenant: TENANT,
    message: members.requiredObject('message', undefined, readSentMessage, NO_MESSAGE),
    ...configuration,
    metadata: members.struct('metadata'),
    asTask: true,
    referencesOwnContext: true,
  };
}

/** The document has none; what the official versions have under this name is taken, `blocking` of 0.3 included. */
function readConfiguration(members: Members): SendConfiguration {
  const isBlocking = members.value('blocking') === undefined || members.flag('blocking');
  return {
    acceptedOutputModes: members.texts('acceptedOutputModes') ?? [],
    returnImmediately: members.flag('returnImmediately') || !isBlocking,
    historyLength: readHistoryLength(members),
    pushConfig: members.object('pushNotificationConfig', undefined, readPushConfig),
  };
}

function readGetTask(members: Members): OperationInputs['getTask'] {
  return { tenant: TENANT, id: readTaskId(members), historyLength: readHistoryLength(members) };
}

/** Listed are whole tasks: the document has no words for less. */
function readListTasks(members: Members): ListTasksInput {
  return {
    tenant: TENANT,
    contextId: members.text('contextId'),
    states: readStates(members),
    pageSize: readLimit(members),
    after: readCursor(members),
    includeArtifacts: true,
  };
}

function readStates(members: Members): readonly TaskState[] | undefined {
  const names = members.texts('state');
  return names?.flatMap((name, index) => {
    const state = TASK_STATES.values.get(name);
    if (state === undefined) members.reject(`state[${index}]`, TASK_STATES.expectation);
    return state ?? [];
  });
}

function readLimit(members: Members): number {
  if (typeof members.value('limit') !== 'string') {
    return readInteger(members, 'limit', undefined, 1, LARGEST_LIMIT) ?? DEFAULT_LIMIT;
  }
  members.reject('limit', 'must be an integer');
  return DEFAULT_LIMIT;
}

function readCursor(members: Members): ListTasksInput['after'] {
  const cursor = members.text('cursor');
  const position = cursor === undefined ? undefined : decodeCursor(cursor);
  if (cursor !== undefined && !position) members.reject('cursor', 'must be the nextCursor of an earlier answer');
  return position;
}

function readCancelTask(members: Members): OperationInputs['cancelTask'] {
  return { tenant: TENANT, id: readTaskId(members), metadata: members.struct('metadata') };
}

/** The resume extension puts its position into `metadata`. */
function readSubscribe(members: Members): OperationInputs['subscribeToTask'] {
  const metadata = isPlainObject(members.value('metadata')) ? members.struct('metadata') : undefined;
  return { tenant: TENANT, id: readTaskId(members), metadata };
}

/** The document does not show these parameters: a Task has `id`, everything about one has `taskId`. */
function readTaskId(members: Members): string {
  return members.has('id') ? members.requiredText('id') : members.requiredText(members.has('taskId') ? 'taskId' : 'id');
}

function readCreatePushConfig(members: Members): OperationInputs['createPushConfig'] {
  const { url, id, token, authentication } = members.requiredObject(
    'pushNotificationConfig',
    undefined,
    readPushConfig,
    NO_PUSH_CONFIG,
  );
  return { tenant: TENANT, config: { url, id, taskId: members.requiredText('taskId'), token, authentication } };
}

/** The config's own id may be left out where a task has one config only, which then has the task's id. */
function readPushConfigRef(members: Members): PushConfigRef {
  const taskId = members.requiredText('taskId');
  return { tenant: TENANT, taskId, id: members.text('id') ?? members.text('pushNotificationConfigId') ?? taskId };
}

function readListPushConfigs(members: Members): OperationInputs['listPushConfigs'] {
  return { tenant: TENANT, taskId: members.requiredText('taskId') };
}

function readHistoryLength(members: Members): number | undefined {
  return readInteger(members, 'historyLength', undefined, 0);
}
