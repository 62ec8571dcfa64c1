import type { SendInput } from '../../../model/operations.ts';
import { type PlainRestWriters, restWriters } from '../../wire/rest-calls.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { encodeMessage } from '../proto/messages.ts';
import { PATHS } from '../rest/forms.ts';
import { refuseList } from './event-readers.ts';
import { encodeSendWith, type TaskIdInput } from './request-writers.ts';

/** Over HTTP+JSON in the ProtoJSON form, which servers in use read, while not all of them read the other (v03 §8). */
export function restRequestWriters(files?: FileBytes): PlainRestWriters {
  const encodeSend = (input: SendInput) =>
    encodeSendWith(input, encodeMessage(input.message, files), 'pushNotification') as object;
  return restWriters(PATHS, {
    sendMessage: encodeSend,
    sendStreamingMessage: encodeSend,
    getTask: ({ historyLength }) => ({ historyLength }),
    listTasks: refuseList,
    cancelTask: encodeTaskName,
    subscribeToTask: encodeTaskName,
    getExtendedCard: () => ({}),
  });
}

function encodeTaskName({ id, metadata }: TaskIdInput): object {
  return { name: `tasks/${id}`, metadata };
}
