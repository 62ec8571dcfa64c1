import type { JsonObject } from '../../../model/basics/json.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import { TASK_STATES as STATES, type TaskState } from '../../../model/states.ts';
import type { Artifact, Message, StreamEvent, Task, TaskStatus } from '../../../model/task.ts';
import { eitherReaders } from '../../v0_3/calling/either-form.ts';
import { TASK_STATES as OTHER_STATES } from '../../v0_3/enums.ts';
import { readAnswer } from '../../wire/answers.ts';
import type { Members } from '../../wire/members.ts';
import { NO_STATUS } from '../../wire/placeholders.ts';
import { withAliases } from '../../wire/values/enums.ts';
import { parseAnyTimestamp } from '../../wire/values/timestamps.ts';
import { readReceivedMessage } from '../task/messages.ts';
import { notesOf, withNotes, withoutNotes } from '../task/notes.ts';

const { readEvent: readEitherEvent } = eitherReaders();

/*
 * The responses of a JAF server. The reply of a task is read as its artifact, wherever it stands, so that a growing one and
 * a whole one are the same thing; a message about a state stays with the state.
 */

export const TASK_STATES = withAliases(OTHER_STATES, [['cancelled', 'canceled']]);

/** A completion, or what a server that speaks more of A2A may answer instead. */
export function decodeSent(result: unknown): Task | Message {
  const event = readAnswer(result, readSent, 'result');
  if (event.kind === 'task') return event.task;
  if (event.kind === 'message') return event.message;
  throw new A2AError('INVALID_RESPONSE', "The server's response is not valid A2A: the result must be a completion");
}

function readSent(members: Members): StreamEvent {
  const kind = members.value('kind');
  if (kind === 'completion') return { kind: 'task', task: taskOf(readCompletion(members)) };
  if (kind === 'task') return { kind: 'task', task: readTask(members) };
  if (kind === 'message') return { kind: 'message', message: readReceivedMessage(members) };
  return readEitherEvent(members);
}

/** A completion, partial or not, of a result or of a frame. */
export interface Completion {
  readonly taskId: string;
  readonly contextId: string;
  readonly message: Message;
  readonly final: boolean;
}

export function readCompletion(members: Members): Completion {
  const message = members.requiredObject('message', undefined, readReceivedMessage, NO_ANSWER);
  return {
    taskId: members.requiredText('taskId', 'task_id'),
    contextId: members.text('contextId', 'context_id') ?? message.contextId ?? '',
    message,
    final: members.flag('final'),
  };
}

const NO_ANSWER: Message = { messageId: '', role: 'agent', parts: [] };

/** One that is not final goes on by itself, unless it says that it waits. */
export function taskOf({ taskId, contextId, message, final }: Completion): Task {
  const timestamp = timeOf(message);
  const state = final ? 'completed' : (noted(message) ?? 'working');
  return taskWith({ id: taskId, contextId, status: { state, message, timestamp } });
}

export function readTask(members: Members): Task {
  const id = members.requiredText('id');
  const contextId = members.text('contextId', 'context_id') ?? '';
  const status = members.requiredObject('status', undefined, readStatus, NO_STATUS);
  return taskWith({ id, contextId: contextId || (status.message?.contextId ?? ''), status });
}

export function readStatus(members: Members): TaskStatus {
  const message = withError(members.object('message', undefined, readReceivedMessage), members.struct('error'));
  const state = members.requiredEnum(TASK_STATES, 'working', 'state');
  return {
    state: (message && noted(message)) ?? state,
    message,
    timestamp: timeText(members.string('timestamp')),
  };
}

/** The error of a failed task is kept beside what is said about it, or is all that is said. */
function withError(said: Message | undefined, error: JsonObject | undefined): Message | undefined {
  if (!error) return said;
  const text = typeof error.message === 'string' ? error.message : 'The task failed';
  const message = said ?? { messageId: 'error', role: 'agent', parts: [{ kind: 'text', text }] };
  return { ...message, metadata: withNotes(message.metadata, { ...notesOf(message.metadata), error }) };
}

/** The state that JAF has no name for, as Parley's servers note it. */
function noted({ metadata }: Message): TaskState | undefined {
  const { state } = notesOf(metadata);
  return state === 'unknown' ? state : STATES.find((known) => known === state);
}

/** Puts the answer where answers are. */
function taskWith({ id, contextId, status }: Pick<Task, 'id' | 'contextId' | 'status'>): Task {
  const { message } = status;
  const asked = message && writtenAndAsked(message);
  if (asked) {
    const artifacts = [artifactOf(asked.written)];
    return {
      id,
      contextId,
      status: saidBy({ ...status, message: asked.asked }, id, contextId),
      artifacts,
      history: [],
    };
  }
  const isAnswer = status.state === 'completed' || (message && notesOf(message.metadata).partial === true);
  if (!message || !isAnswer)
    return { id, contextId, status: saidBy(status, id, contextId), artifacts: [], history: [] };
  const { state, timestamp } = status;
  return { id, contextId, status: { state, timestamp }, artifacts: [artifactOf(message)], history: [] };
}

/** The reply and the question, as Parley's servers note them where one message has both. */
function writtenAndAsked(message: Message): { readonly written: Message; readonly asked: Message } | undefined {
  const { written } = notesOf(message.metadata);
  if (typeof written !== 'number' || written <= 0) return undefined;
  const { parts } = message;
  return {
    written: { ...message, parts: parts.slice(0, written) },
    asked: { ...message, parts: parts.slice(written) },
  };
}

/** A status whose message names its task and context. */
export function saidBy(status: TaskStatus, taskId: string, contextId: string): TaskStatus {
  const { message } = status;
  if (!message) return status;
  const isSameTime = timeOf(message) === status.timestamp;
  const metadata = isSameTime ? withoutOwnNotes(message.metadata, 'timestamp') : withoutOwnNotes(message.metadata);
  return {
    ...status,
    message: { ...message, metadata, taskId, contextId: message.contextId ?? (contextId || undefined) },
  };
}

export function artifactOf({ messageId, parts, extensions, metadata }: Message): Artifact {
  const own = withoutOwnNotes(metadata, 'timestamp');
  return {
    artifactId: messageId,
    parts,
    ...(extensions && { extensions }),
    ...(own && { metadata: own }),
  };
}

/** Without what has become a member of what the message belongs to. */
function withoutOwnNotes(metadata: Message['metadata'], ...also: readonly string[]): Message['metadata'] {
  const gone = ['state', 'partial', 'written', ...also];
  const kept = Object.entries(notesOf(metadata)).filter(([name]) => !gone.includes(name));
  return withNotes(withoutNotes(metadata), Object.fromEntries(kept));
}

function timeOf({ metadata }: Message): string {
  const { timestamp } = notesOf(metadata);
  return timeText(typeof timestamp === 'string' ? timestamp : undefined);
}

/** '' if there is none that can be read. */
function timeText(text: string | undefined): string {
  const instant = parseAnyTimestamp(text ?? '');
  return instant === undefined ? '' : new Date(instant).toISOString();
}

/** A canceled task as far as the answer tells; refused where the server did not cancel it. */
export function decodeCancellation(result: unknown): Task {
  return readAnswer(result, readCancellation, 'result');
}

function readCancellation(members: Members): Task {
  if (members.has('status')) return readTask(members);
  const id = members.requiredText('id');
  const timestamp = timeText(members.string('timestamp'));
  if (!members.flag('cancelled')) {
    throw new A2AError('TASK_NOT_CANCELABLE', 'The agent did not cancel the task', { metadata: { taskId: id } });
  }
  return { id, contextId: '', status: { state: 'canceled', timestamp }, artifacts: [], history: [] };
}
