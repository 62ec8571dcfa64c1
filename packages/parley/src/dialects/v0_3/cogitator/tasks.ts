import { isoTime } from '../../../model/basics/timestamps.ts';
import type { SendInput } from '../../../model/operations.ts';
import { isTerminal, type TaskState as ModelState } from '../../../model/states.ts';
import { isTask, type Message, type TaskStatus as ModelStatus, type Task } from '../../../model/task.ts';
import type { Members } from '../../wire/members.ts';
import { TASK_STATES } from '../enums.ts';
import { readersOf } from '../task/readers.ts';
import { encodeArtifact, readArtifact } from './artifacts.ts';
import { encodeMessage, readReceivedMessage } from './messages.ts';
import { readPart } from './parts.ts';
import type { A2ATask, TaskState, TaskStatus } from './types.ts';

/** The document has six states: a task is at work from its first moment, or unless more is known; any wait is one for input. */
const STATES: Readonly<Record<ModelState, TaskState>> = {
  submitted: 'working',
  working: 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  rejected: 'rejected',
  'input-required': 'input-required',
  'auth-required': 'input-required',
  unknown: 'working',
};

const READERS = readersOf({
  readPart,
  readMessage: readReceivedMessage,
  readArtifact,
  readStatusMessage,
  states: TASK_STATES,
});

export const { readStatusUpdate, readArtifactUpdate } = READERS;

export function encodeStatus({ state, timestamp, message }: ModelStatus): TaskStatus {
  const wire: TaskStatus = { state: STATES[state], timestamp };
  if (message !== undefined) wire.message = encodeMessage(message);
  return wire;
}

/** The length of history that the request asks for. */
type Asked = Pick<SendInput, 'historyLength'>;

/** The agent's last message is part of the history here (S3: the result of a run is a text in the history). */
export function encodeTask(task: Task, { historyLength }: Asked = {}): A2ATask {
  const { message, state } = task.status;
  const all = message && isTerminal(state) ? [...task.history, message] : task.history;
  const said = historyLength === undefined ? all : all.slice(Math.max(all.length - historyLength, 0));
  const wire: A2ATask = {
    id: task.id,
    contextId: task.contextId,
    status: encodeStatus(task.status),
    history: said.map(encodeMessage),
    artifacts: task.artifacts.map(encodeArtifact),
  };
  if (task.metadata !== undefined) wire.metadata = task.metadata;
  return wire;
}

/** Sends are answered with a task, always: a bare reply is shown as one that is done. It cannot be asked for again. */
export function encodeSendResult(result: Task | Message, asked?: Asked): A2ATask {
  return encodeTask(isTask(result) ? result : repliedTask(result), asked);
}

export function repliedTask(message: Message): Task {
  return {
    id: message.taskId ?? message.messageId,
    contextId: message.contextId ?? '',
    status: { state: 'completed', timestamp: isoTime(Date.now()), message },
    artifacts: [],
    history: [],
  };
}

export function readTask(members: Members): Task {
  const task = READERS.readTask(members);
  const { message, state } = task.status;
  const last = task.history.at(-1);
  const isRepeated = message?.messageId && last?.messageId === message.messageId && isTerminal(state);
  return isRepeated ? { ...task, history: task.history.slice(0, -1) } : task;
}

/** Some agents say no more than a text about their state. */
function readStatusMessage(status: Members): Message | undefined {
  const text = status.value('message');
  if (typeof text !== 'string') return status.object('message', undefined, readReceivedMessage);
  return text === '' ? undefined : { messageId: '', role: 'agent', parts: [{ kind: 'text', text }] };
}
