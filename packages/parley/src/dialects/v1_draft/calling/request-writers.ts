import { A2AError } from '../../../model/errors/errors.ts';
import type {
  CancelTaskInput,
  ListTasksInput,
  PushConfigRef,
  SendInput,
  SubscribeInput,
} from '../../../model/operations.ts';
import type { CallingDialect } from '../../calling/calling.ts';
import type { WireValue } from '../../dialect.ts';
import { encodePushConfig, encodeTaskPushConfig } from '../../v0_3/push-configs.ts';
import { encodeSendParams } from '../../wire/send-params.ts';
import { TASK_STATE_NAMES } from '../enums.ts';
import { encodeMessage } from '../messages.ts';

/** The parameters of requests. The draft has no tenants: they are left out. */
export const requestWriters: CallingDialect['encodeRequest'] = {
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: ({ id, historyLength }) => ({ id, historyLength }),
  listTasks: encodeList,
  cancelTask: encodeTaskRef,
  subscribeToTask: encodeTaskRef,
  createPushConfig: ({ config }) => encodeTaskPushConfig(config),
  getPushConfig: encodeConfigRef,
  listPushConfigs: ({ taskId }) => ({ taskId }),
  deletePushConfig: encodeConfigRef,
  getExtendedCard: () => ({}),
};

/** `configuration`, which the document does not have, only where something in it was asked for. */
function encodeSend(input: SendInput): WireValue {
  const { pushConfig, returnImmediately } = input;
  return encodeSendParams(input, encodeMessage(input.message), {
    pushNotificationConfig: pushConfig && encodePushConfig(pushConfig),
    returnImmediately: returnImmediately || undefined,
  });
}

function encodeList({ contextId, state, states, statusSince, pageSize, pageToken }: ListTasksInput): WireValue {
  if (statusSince !== undefined) {
    throw new A2AError('UNSUPPORTED_OPERATION', 'The draft of A2A 1.0 cannot list tasks by the time of their status');
  }
  const wanted = states ?? (state === undefined ? undefined : [state]);
  return { contextId, state: wanted?.map((name) => TASK_STATE_NAMES[name]), cursor: pageToken, limit: pageSize };
}

function encodeTaskRef({ id, metadata }: CancelTaskInput | SubscribeInput): WireValue {
  return metadata === undefined ? { id } : { id, metadata };
}

function encodeConfigRef({ taskId, id }: PushConfigRef): WireValue {
  return { taskId, id };
}
