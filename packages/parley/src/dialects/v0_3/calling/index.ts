import { A2AError } from '../../../model/errors.ts';
import { isPlainObject } from '../../../model/json.ts';
import type { Message, StreamEvent, Task } from '../../../model/task.ts';
import { decodeAgentCard } from '../../agent-card.ts';
import type { CallingDialect, CallingRest, ResultDecoders } from '../../calling.ts';
import { readAnswer } from '../../wire/answers.ts';
import { readJsonRpcError, readRestError } from '../../wire/errors/received-errors.ts';
import { type FileBytes, habitualFileBytes } from '../../wire/values/file-bytes.ts';
import { METHOD_NAMES } from '../methods.ts';
import { eitherReaders } from './either-form.ts';
import { decodePushConfigPage, readReceivedPushConfig } from './received-push-configs.ts';
import { requestWriters, restRequestWriters } from './request-writers.ts';

type Decoders = Pick<CallingDialect, 'decodeResult' | 'decodeEvent'>;

/** @param files how ProtoJSON has the bytes of files */
function decoders(files?: FileBytes): Decoders {
  const { readTask, readEvent } = eitherReaders(files);
  const decodeEvent = (event: unknown): StreamEvent => readAnswer(event, readEvent, 'event');
  const decodeResult: ResultDecoders = {
    sendMessage: (result) => sendResultOf(decodeEvent(result)),
    getTask: (result) => readAnswer(result, readTask, 'task'),
    listTasks: () => {
      throw new A2AError('UNSUPPORTED_OPERATION', 'A2A 0.3 cannot list tasks');
    },
    cancelTask: (result) => readAnswer(result, readTask, 'task'),
    createPushConfig: (result, { config }) => readAnswer(result, readReceivedPushConfig(config.taskId), 'config'),
    getPushConfig: (result, { taskId }) => readAnswer(result, readReceivedPushConfig(taskId), 'config'),
    listPushConfigs: (result, { taskId }) => decodePushConfigPage(result, taskId),
    deletePushConfig: () => undefined,
    getExtendedCard: (result) => decodeAgentCard(result).card,
  };
  return { decodeResult, decodeEvent };
}

const rest: CallingRest = {
  mediaType: 'application/json',
  accept: 'application/json',
  encodeRequest: restRequestWriters(),
  ...decoders(),
  decodeError: readRestError,
  withHabits: (habits) => {
    const files = habitualFileBytes(habits);
    return { ...rest, encodeRequest: restRequestWriters(files), ...decoders(files) };
  },
};

/** A2A 0.3 as its callers speak it. Responses are read in every form. */
export const callV0_3: CallingDialect = {
  name: 'v0_3',
  version: '0.3',
  extensionsHeader: 'x-a2a-extensions',
  methodOf: { ...METHOD_NAMES, listTasks: undefined },
  encodeRequest: requestWriters,
  ...decoders(),
  isFinal,
  decodeError: readJsonRpcError,
  rest,
};

/** The result of a send is an event too, of two of the four kinds. */
export function sendResultOf(event: StreamEvent): Task | Message {
  if (event.kind === 'task') return event.task;
  if (event.kind === 'message') return event.message;
  throw new A2AError(
    'INVALID_RESPONSE',
    "The server's answer is not valid A2A: the result must be a task or a message",
  );
}

function isFinal(event: unknown): boolean {
  if (!isPlainObject(event)) return false;
  const update = event.statusUpdate ?? event.status_update ?? event;
  return isPlainObject(update) && update.final === true;
}
