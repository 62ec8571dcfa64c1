import { A2AError } from '../../../model/errors.ts';
import { isPlainObject } from '../../../model/json.ts';
import type { PushConfigPage, TaskPage } from '../../../model/operations.ts';
import type { Message, StreamEvent, Task } from '../../../model/task.ts';
import { decodeAgentCard } from '../../agent-card.ts';
import type { CallingDialect, ResultDecoders } from '../../calling.ts';
import { blamingServer, readAnswer } from '../../wire/answers.ts';
import { readJsonRpcError, readRestError } from '../../wire/errors/received-errors.ts';
import type { Members } from '../../wire/members.ts';
import { decodeEvent } from '../events.ts';
import { readReceivedMessage } from '../messages.ts';
import { METHOD_NAMES } from '../methods.ts';
import { readReceivedPushConfig } from '../push-configs.ts';
import { readTask } from '../tasks.ts';
import { requestWriters, restRequestWriters } from './request-writers.ts';

const decodeResult: ResultDecoders = {
  sendMessage: decodeSendResult,
  getTask: (result) => readAnswer(result, readTask, 'task'),
  listTasks: (result, { includeArtifacts }) => readAnswer(result, readTaskPage(includeArtifacts), 'page'),
  cancelTask: (result) => readAnswer(result, readTask, 'task'),
  createPushConfig: (result, { config }) => readAnswer(result, readReceivedPushConfig(config.taskId), 'config'),
  getPushConfig: (result, { taskId }) => readAnswer(result, readReceivedPushConfig(taskId), 'config'),
  listPushConfigs: (result, { taskId }) => readAnswer(result, readPushConfigPage(taskId), 'page'),
  deletePushConfig: () => undefined,
  getExtendedCard: (result) => decodeAgentCard(result).card,
};

/** A2A 1.0 as its callers speak it. Over HTTP+JSON the messages are the same. */
export const callV1_0: CallingDialect = {
  name: 'v1_0',
  version: '1.0',
  extensionsHeader: 'a2a-extensions',
  methodOf: METHOD_NAMES,
  encodeRequest: requestWriters,
  decodeResult,
  decodeEvent: decodeReceivedEvent,
  isFinal: () => false,
  decodeError: readJsonRpcError,
  rest: {
    // Servers of 1.0.0 know only this type; those of 1.0.1 take both (reference: v1-bindings §5.1).
    mediaType: 'application/json',
    accept: 'application/json, application/a2a+json',
    encodeRequest: restRequestWriters,
    decodeResult,
    decodeEvent: decodeReceivedEvent,
    decodeError: readRestError,
  },
};

/** The result of a send is an event too, of two of the four kinds. */
function decodeSendResult(result: unknown): Task | Message {
  const event = decodeReceivedEvent(result);
  if (event.kind === 'task') return event.task;
  if (event.kind === 'message') return event.message;
  throw new A2AError(
    'INVALID_RESPONSE',
    "The server's answer is not valid A2A: the result must be a task or a message",
  );
}

/** Wrapped; where a server forgot that, the members tell a task and a message. */
function decodeReceivedEvent(event: unknown): StreamEvent {
  if (isPlainObject(event) && event.task === undefined && event.message === undefined) {
    if (event.id !== undefined && event.status !== undefined) {
      return { kind: 'task', task: readAnswer(event, readTask, 'task') };
    }
    if (event.parts !== undefined)
      return { kind: 'message', message: readAnswer(event, readReceivedMessage, 'message') };
  }
  return blamingServer(() => decodeEvent(event));
}

function readTaskPage(includeArtifacts: boolean): (members: Members) => TaskPage {
  return (members) => {
    const tasks = members.list('tasks', undefined, readTask);
    return {
      tasks,
      nextPageToken: members.text('nextPageToken', 'next_page_token') ?? '',
      pageSize: members.integer('pageSize', 'page_size') ?? tasks.length,
      totalSize: members.integer('totalSize', 'total_size') ?? tasks.length,
      includeArtifacts,
    };
  };
}

function readPushConfigPage(taskId: string): (members: Members) => PushConfigPage {
  return (members) => ({
    configs: members.list('configs', undefined, readReceivedPushConfig(taskId)),
    nextPageToken: members.text('nextPageToken', 'next_page_token') ?? '',
  });
}
