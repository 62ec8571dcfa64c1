import { isPlainObject } from '../../../model/basics/json.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type { ListTasksInput, TaskPage } from '../../../model/operations.ts';
import type { Message, StreamEvent, Task } from '../../../model/task.ts';
import type { CallingDialect, ResultDecoders } from '../../calling/calling.ts';
import { readAgentCard } from '../../cards/read-card.ts';
import { decodePushConfigPage, readReceivedPushConfig } from '../../v0_3/calling/received-push-configs.ts';
import { callV1_0 } from '../../v1_0/calling/index.ts';
import { READERS as OFFICIAL_READERS } from '../../v1_0/tasks.ts';
import { blamingServer, readAnswer } from '../../wire/answers.ts';
import { readJsonRpcError } from '../../wire/errors/received-errors.ts';
import type { Members } from '../../wire/members.ts';
import { withoutLists } from '../errors.ts';
import { decodeEvent } from '../events.ts';
import { METHOD_NAMES, STREAM_SEGMENT } from '../methods.ts';
import { readTask } from '../tasks.ts';
import { isDraftCard } from './card-signs.ts';
import { requestWriters } from './request-writers.ts';

const decodeResult: ResultDecoders = {
  sendMessage: decodeSendResult,
  getTask: decodeTaskResult,
  listTasks: (result, input) => readAnswer(result, readTaskPage(input), 'page'),
  cancelTask: decodeTaskResult,
  createPushConfig: (result, { config }) => readAnswer(result, readReceivedPushConfig(config.taskId), 'config'),
  getPushConfig: (result, { taskId }) => readAnswer(result, readReceivedPushConfig(taskId), 'config'),
  listPushConfigs: (result, { taskId }) => decodePushConfigPage(result, taskId),
  deletePushConfig: () => undefined,
  getExtendedCard: (result) => readAgentCard(result).card,
};

/**
 * The calling half. Requests do not name a version: at an address that speaks 1.0 as well, `A2A-Version: 1.0` would mean
 * the official one.
 */
export const callV1Draft: CallingDialect = {
  ...callV1_0,
  name: 'v1_draft',
  isCard: isDraftCard,
  headers: {},
  methodOf: METHOD_NAMES,
  streamAddress,
  beginsWithHead: true,
  encodeRequest: requestWriters,
  decodeResult,
  decodeEvent: decodeReceivedEvent,
  isFinal: (event) => isPlainObject(event) && event.final === true,
  decodeError: (error, operation) => readJsonRpcError(withoutLists(error), operation),
};

/** Below the address, unless that is one of streams already. */
function streamAddress(url: string): string {
  const address = URL.parse(url);
  if (!address) return url;
  const path = address.pathname.replace(/(?<!\/)\/+$/, '');
  if (path.endsWith(`/${STREAM_SEGMENT}`)) return url;
  address.pathname = `${path}/${STREAM_SEGMENT}`;
  return address.href;
}

function decodeReceivedEvent(event: unknown): StreamEvent {
  return blamingServer(() => decodeEvent(event));
}

/** The task, in whichever shape of an event; some servers may show no more of it than a stream does at first. */
function decodeSendResult(result: unknown): Task | Message {
  const event = decodeReceivedEvent(result);
  if (event.kind === 'task') return event.task;
  if (event.kind === 'message') return event.message;
  throw new A2AError('INVALID_RESPONSE', "The server's response is not valid A2A: the result must be a task");
}

/** Nothing in some requests tells the draft from 1.0: where both are spoken, their answers may be in 1.0. */
function decodeTaskResult(result: unknown): Task {
  return readAnswer(result, isOfficial(result) ? OFFICIAL_READERS.readTask : readTask, 'task');
}

function isOfficial(result: unknown): boolean {
  const state = isPlainObject(result) && isPlainObject(result.status) ? result.status.state : undefined;
  return typeof state === 'string' && state.startsWith('TASK_STATE_');
}

/** Servers do not tell the total: it is at least the number of tasks on the page. */
function readTaskPage({ pageSize, includeArtifacts }: ListTasksInput): (members: Members) => TaskPage {
  return (members) => {
    const tasks = members.list('tasks', undefined, readTask);
    return {
      tasks,
      nextPageToken: members.text('nextCursor') ?? '',
      pageSize,
      totalSize: tasks.length,
      includeArtifacts,
    };
  };
}
