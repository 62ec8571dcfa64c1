import type { A2AError } from '../../../model/errors/errors.ts';
import { isTerminal } from '../../../model/states.ts';
import { isTask, type Message, type Task, type TaskStatus } from '../../../model/task.ts';
import type { RpcError } from '../../dialect.ts';
import { endedWithoutAnswer, failureOf } from '../errors.ts';
import { type Answered, answeredBy, answerOf } from './answers.ts';
import { encodeAnswer, encodeMessage, type WireMessage } from './messages.ts';
import { WIRE_STATES, type WireState } from './states.ts';

export interface WireStatus {
  state: WireState;
  message?: WireMessage;
  timestamp?: string;
  error?: RpcError;
}

interface WireTask {
  id: string;
  contextId: string;
  kind: 'task';
  status: WireStatus;
}

interface WireCompletion {
  kind: 'completion';
  taskId: string;
  contextId: string;
  message: WireMessage;
  final: boolean;
}

interface WireCancellation {
  id: string;
  cancelled: boolean;
  timestamp: string;
}

/** The status says all that the task came to: JAF's tasks have neither artifacts nor a history (seed S1, A2ATask). */
export function encodeTask(task: Task): WireTask {
  const { id, contextId, status } = task;
  const answered = answeredBy(task);
  const answer = status.state === 'completed' ? answerOrNothing(answered) : answerOf(answered);
  return { id, contextId, kind: 'task', status: encodeStatus(answered, answer) };
}

export function encodeStatus({ status }: Pick<Answered, 'status'>, message: Message | undefined): WireStatus {
  const { state, timestamp } = status;
  const wire: WireStatus = { state: WIRE_STATES[state] };
  if (message) wire.message = encodeAnswer(message, timestamp);
  if (timestamp !== '') wire.timestamp = timestamp;
  if (hasFailed(status)) wire.error = failureOf(status);
  return wire;
}

/** A completion is always a success, so a task that failed, was rejected or canceled is an error. */
export function errorInPlaceOf(result: Task | Message): A2AError | undefined {
  if (!isTask(result) || !isTerminal(result.status.state) || result.status.state === 'completed') return undefined;
  return endedWithoutAnswer(result);
}

/**
 * The completion of a send. A task that asks, or takes longer than a request may, has one that is not final: the task can
 * be continued. One that ended without a result has an error in its place.
 */
export function encodeCompletion(result: Task | Message): WireCompletion {
  if (!isTask(result)) return bareCompletion(result);
  const answered = answeredBy(result);
  return {
    kind: 'completion',
    taskId: result.id,
    contextId: result.contextId,
    message: completionMessage(answered, result.status.timestamp),
    final: result.status.state === 'completed',
  };
}

export function completionMessage(answered: Answered, timestamp?: string): WireMessage {
  return encodeAnswer(answerOrNothing(answered), timestamp);
}

/** An agent that says nothing has still answered, and a message has at least one part. */
function answerOrNothing(answered: Answered): Message {
  const { id, contextId, turn } = answered;
  const message = answerOf(answered) ?? { messageId: `resp-${id}-${turn}`, role: 'agent', parts: [], contextId };
  return message.parts.length > 0 ? message : { ...message, parts: [{ kind: 'text', text: '' }] };
}

/** The completion of a send that another dialect made, with the same idempotency key: it has no task. */
function bareCompletion(message: Message): WireCompletion {
  const { taskId = '', contextId = '' } = message;
  return { kind: 'completion', taskId, contextId, message: encodeMessage(message), final: true };
}

export function encodeCancellation({ id, status }: Task): WireCancellation {
  return { id, cancelled: status.state === 'canceled', timestamp: status.timestamp };
}

function hasFailed({ state }: TaskStatus): boolean {
  return state === 'failed' || state === 'rejected';
}
