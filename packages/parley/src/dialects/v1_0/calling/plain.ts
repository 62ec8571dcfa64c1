import { isPlainObject } from '../../../model/basics/json.ts';
import type { PushOperationName, TaskPage } from '../../../model/operations.ts';
import type { StreamEvent } from '../../../model/task.ts';
import type { PlainCallingDialect, ResultDecoders } from '../../calling.ts';
import { readAgentCard } from '../../read-card.ts';
import { blamingServer, readAnswer, sendResultOf } from '../../wire/answers.ts';
import { readJsonRpcError, readRestError } from '../../wire/errors/received-errors.ts';
import type { Members } from '../../wire/members.ts';
import { decodeEvent } from '../events.ts';
import { readReceivedMessage } from '../messages.ts';
import { PLAIN_METHOD_NAMES } from '../plain-methods.ts';
import { readTask } from '../tasks.ts';
import { requestWriters } from './request-writers.ts';

const decodeResult: Omit<ResultDecoders, PushOperationName> = {
  sendMessage: (result) => sendResultOf(decodeReceivedEvent(result)),
  getTask: (result) => readAnswer(result, readTask, 'task'),
  listTasks: (result, { includeArtifacts }) => readAnswer(result, readTaskPage(includeArtifacts), 'page'),
  cancelTask: (result) => readAnswer(result, readTask, 'task'),
  getExtendedCard: (result) => readAgentCard(result).card,
};

/** A2A 1.0 as callers speak it over JSON-RPC, without webhooks. */
export const plainV1_0: PlainCallingDialect = {
  name: 'v1_0',
  version: '1.0',
  extensionsHeader: 'a2a-extensions',
  methodOf: PLAIN_METHOD_NAMES,
  encodeRequest: requestWriters,
  decodeResult,
  decodeEvent: decodeReceivedEvent,
  isFinal: () => false,
  decodeError: readJsonRpcError,
  rest: { decodeError: readRestError },
};

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
