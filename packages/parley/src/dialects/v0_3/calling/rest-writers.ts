import type { SendInput } from '../../../model/operations.ts';
import type { CallingRest } from '../../calling.ts';
import type { WireValue } from '../../dialect.ts';
import { restCalls } from '../../wire/rest-calls.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { encodeMessage } from '../proto/messages.ts';
import { encodeCreatePushConfig, encodeTaskPushConfig } from '../proto/push-configs.ts';
import { PATHS } from '../rest/forms.ts';
import { refuseList } from './event-readers.ts';
import { encodeSendWith, type TaskIdInput } from './request-writers.ts';

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
      otherBody: encodeTaskPushConfig(config),
    }),
    getPushConfig: calls.getPushConfig,
    listPushConfigs: ({ taskId, pageSize, pageToken }) => calls.listPushConfigs('', taskId, { pageSize, pageToken }),
    deletePushConfig: calls.deletePushConfig,
    getExtendedCard: () => calls.getExtendedCard(''),
  };
}

function encodeProtoTaskId({ id, metadata }: TaskIdInput): WireValue {
  const name = `tasks/${id}`;
  return metadata === undefined ? { name } : { name, metadata };
}

function encodeProtoSend(input: SendInput, files?: FileBytes): WireValue {
  return encodeSendWith(input, encodeMessage(input.message, files), 'pushNotification');
}
