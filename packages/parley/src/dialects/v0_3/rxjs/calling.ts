import { isPlainObject } from '../../../model/basics/json.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import { bringsToolResult } from '../../../model/extensions/caller-tools.ts';
import type { SendInput } from '../../../model/operations.ts';
import type { Message, StreamEvent } from '../../../model/task.ts';
import type { CallingDialect } from '../../calling/calling.ts';
import type { WireValue } from '../../dialect.ts';
import { readAnswer } from '../../wire/answers.ts';
import { readJsonRpcError } from '../../wire/errors/received-errors.ts';
import type { Members } from '../../wire/members.ts';
import { callV0_3, sendResultOf } from '../calling/index.ts';
import { encodeSendWith } from '../calling/request-writers.ts';
import { OWN_CODES } from './errors.ts';
import { encodeMessage, readReceivedMessage } from './messages.ts';
import { readArtifactUpdate } from './older.ts';
import { READERS } from './tasks.ts';

/** The calling half. A client that comes back calls `tasks/get` with `taskId`; both spellings of events are read. */
export const callRxjs: CallingDialect = {
  ...callV0_3,
  name: 'rxjs',
  headers: {},
  methodOf: { ...callV0_3.methodOf, subscribeToTask: 'tasks/get' },
  encodeRequest: {
    ...callV0_3.encodeRequest,
    sendMessage: encodeSend,
    sendStreamingMessage: encodeSend,
    subscribeToTask: ({ id, metadata }) => (metadata === undefined ? { taskId: id } : { taskId: id, metadata }),
  },
  decodeResult: {
    ...callV0_3.decodeResult,
    sendMessage: (result) => sendResultOf(decodeEvent(result)),
    getTask: (result) => readAnswer(result, READERS.readTask, 'task'),
    cancelTask: (result) => readAnswer(result, READERS.readTask, 'task'),
  },
  decodeEvent,
  isFinal,
  decodeError: (error, operation) => ownError(error) ?? withReason(readJsonRpcError(error, operation)),
};

/** The same for servers of its older spellings: requests have only one, and answers are read in both (seed S0.21). */
export const callRxjsOlder: CallingDialect = { ...callRxjs, name: 'rxjs-older' };

/** An answer to an input request names its task only as a reference (seed S0.7). */
function encodeSend(input: SendInput): WireValue {
  const { message } = input;
  const answers = bringsToolResult(message) && message.taskId;
  const sent: Message = answers
    ? { ...message, taskId: undefined, contextId: undefined, referenceTaskIds: [answers] }
    : message;
  return encodeSendWith(input, encodeMessage(sent), 'pushNotificationConfig');
}

function decodeEvent(event: unknown): StreamEvent {
  return readAnswer(event, readEvent, 'event');
}

function readEvent(members: Members): StreamEvent {
  const kind = members.value('kind');
  switch (kind) {
    case 'artifact-update':
      return readArtifactUpdate(members);
    case 'status-update':
      return READERS.readStatusUpdate(members);
    case 'message':
      return { kind: 'message', message: readReceivedMessage(members) };
    default:
      return { kind: 'task', task: READERS.readTask(members) };
  }
}

/** Such servers leave the stream open while they ask; the answer opens another one that goes on from there. */
function isFinal(event: unknown): boolean {
  if (!isPlainObject(event)) return false;
  const { kind, status } = event;
  const asks = kind === 'status-update' && isPlainObject(status) && status.state === 'input-required';
  return event.final === true || asks;
}

const OWN_ERRORS: ReadonlyMap<unknown, readonly [code: 'TASK_NOT_COMPLETED' | 'INVALID_PARAMS', reason: string]> =
  new Map([
    [OWN_CODES.inputTimeout, ['TASK_NOT_COMPLETED', 'INPUT_TIMEOUT']],
    [OWN_CODES.toolFailed, ['TASK_NOT_COMPLETED', 'TOOL_FAILED']],
    [OWN_CODES.contextNotFound, ['INVALID_PARAMS', 'CONTEXT_NOT_FOUND']],
  ]);

function ownError(error: unknown): A2AError | undefined {
  if (!isPlainObject(error)) return undefined;
  const message = typeof error.message === 'string' ? error.message : 'The server gave an error';
  const metadata = metadataOf(error.data);
  // One of its examples has the official number for a task that is not there.
  if (error.code === OWN_CODES.taskNotFound || /task not found/i.test(message)) {
    return new A2AError('TASK_NOT_FOUND', message, { metadata });
  }
  const own = OWN_ERRORS.get(error.code);
  return own && new A2AError(own[0], message, { metadata, reason: own[1] });
}

/** The general words say little; `reason` names the fault. */
function withReason(error: A2AError): A2AError {
  const { code, message, metadata, violations, reason } = error;
  if (metadata.reason === undefined) return error;
  return new A2AError(code, `${message}: ${metadata.reason}`, { metadata, violations, reason });
}

function metadataOf(data: unknown): Readonly<Record<string, string>> {
  if (!isPlainObject(data)) return {};
  const simple = Object.entries(data).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(simple.map(([name, value]) => [name, String(value)]));
}
