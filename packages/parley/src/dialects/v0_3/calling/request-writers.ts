import { A2AError } from '../../../model/errors.ts';
import type { OperationInputs, SendInput } from '../../../model/operations.ts';
import type { CallingDialect, CallingRest } from '../../calling.ts';
import type { WireValue } from '../../dialect.ts';
import { restCalls } from '../../wire/rest-calls.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { encodeMessage } from '../messages.ts';
import { encodeMessage as encodeProtoMessage } from '../proto/messages.ts';
import { encodeCreatePushConfig, encodeTaskPushConfig as encodeProtoTaskPushConfig } from '../proto/push-configs.ts';
import { encodePushConfig, encodeTaskPushConfig } from '../push-configs.ts';
import { PATHS } from '../rest/forms.ts';

/** The parameters of JSON-RPC requests (reference: v03 §3). 0.3 has no tenants. */
export const requestWriters: CallingDialect['encodeRequest'] = {
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: ({ id, historyLength }) => ({ id, historyLength }),
  listTasks: refuseList,
  cancelTask: encodeTaskId,
  subscribeToTask: encodeTaskId,
  createPushConfig: ({ config }) => encodeTaskPushConfig(config),
  getPushConfig: ({ taskId, id }) => ({ id: taskId, pushNotificationConfigId: id === '' ? undefined : id }),
  listPushConfigs: ({ taskId }) => ({ id: taskId }),
  deletePushConfig: ({ taskId, id }) => ({ id: taskId, pushNotificationConfigId: id }),
  getExtendedCard: () => undefined,
};

const calls = restCalls(PATHS);

/** Over HTTP+JSON in the ProtoJSON form, which servers in use read, while not all of them read the other (v03 §8). */
export function restRequestWriters(files?: FileBytes): CallingRest['encodeRequest'] {
  return {
    sendMessage: (input) => calls.sendMessage('', encodeProtoSend(input, files)),
    sendStreamingMessage: (input) => calls.sendStreamingMessage('', encodeProtoSend(input, files)),
    getTask: ({ id, historyLength }) => calls.getTask('', id, { historyLength }),
    listTasks: refuseList,
    cancelTask: (input) => calls.cancelTask('', input.id, encodeProtoTaskId(input)),
    subscribeToTask: (input) => calls.subscribeToTask('', input.id, encodeProtoTaskId(input)),
    createPushConfig: ({ config }) => ({
      ...calls.createPushConfig('', config.taskId, encodeCreatePushConfig(config)),
      otherBody: encodeProtoTaskPushConfig(config),
    }),
    getPushConfig: calls.getPushConfig,
    listPushConfigs: ({ taskId, pageSize, pageToken }) => calls.listPushConfigs('', taskId, { pageSize, pageToken }),
    deletePushConfig: calls.deletePushConfig,
    getExtendedCard: () => calls.getExtendedCard(''),
  };
}

function refuseList(): never {
  throw new A2AError('UNSUPPORTED_OPERATION', 'A2A 0.3 cannot list tasks');
}

type TaskIdInput = OperationInputs['cancelTask'] | OperationInputs['subscribeToTask'];

function encodeTaskId({ id, metadata }: TaskIdInput): WireValue {
  return metadata === undefined ? { id } : { id, metadata };
}

function encodeProtoTaskId({ id, metadata }: TaskIdInput): WireValue {
  const name = `tasks/${id}`;
  return metadata === undefined ? { name } : { name, metadata };
}

function encodeSend(input: SendInput): WireValue {
  return encodeSendWith(input, encodeMessage(input.message), 'pushNotificationConfig');
}

function encodeProtoSend(input: SendInput, files?: FileBytes): WireValue {
  return encodeSendWith(input, encodeProtoMessage(input.message, files), 'pushNotification');
}

/** Servers in use differ where `blocking` is left out, so it is always written (reference: v03 §6). */
export function encodeSendWith(
  input: SendInput,
  message: WireValue,
  pushConfigName: string,
  more?: Readonly<Record<string, unknown>>,
): WireValue {
  const { acceptedOutputModes, historyLength, pushConfig, returnImmediately, metadata } = input;
  const configuration = {
    ...(acceptedOutputModes.length > 0 && { acceptedOutputModes }),
    ...(historyLength !== undefined && { historyLength }),
    ...(pushConfig !== undefined && { [pushConfigName]: encodePushConfig(pushConfig) }),
    blocking: !returnImmediately,
    ...more,
  };
  return metadata === undefined ? { message, configuration } : { message, configuration, metadata };
}
