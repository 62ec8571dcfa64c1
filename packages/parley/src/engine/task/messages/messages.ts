import { A2AError, invalidParams, quoted } from '../../../model/errors/errors.ts';
import { answeredAmong, answeredIds, openQuestionsOf } from '../../../model/extensions/open-questions.ts';
import { isInterrupted, isTerminal } from '../../../model/states.ts';
import type { Message } from '../../../model/task.ts';
import type { Committer } from '../../log/committer.ts';
import { CommitRefused, storeUnavailable } from '../../log/refusals.ts';
import type { TaskIdentity, TaskLog } from '../../log/task-log.ts';
import type { KeyRecord } from '../../ports.ts';
import type { MessageDraft } from '../../turn/runner.ts';

/** A caller's message as it stands in the log: with the ids of its task. */
export function inTask(message: Message, { id, contextId }: TaskIdentity): Message {
  return { ...message, contextId, taskId: id };
}

/** Completes a message of the agent with its ids; without `taskId` where there is no task. */
export function agentMessage(
  newId: string,
  draft: MessageDraft,
  place: Pick<Message, 'contextId' | 'taskId'>,
): Message {
  const messageId = draft.messageId ?? newId;
  return { ...draft, messageId, role: 'agent', contextId: place.contextId, taskId: place.taskId };
}

/** A task that has ended takes no more messages: follow-up work is a new task in its context. */
export function requireOpen({ identity, status }: TaskLog): void {
  const { state } = status;
  if (!isTerminal(state)) return;
  const metadata = { taskId: identity.id, state };
  const advice = 'send a new message in its context instead';
  throw new A2AError('UNSUPPORTED_OPERATION', `The task is already ${state}: ${advice}`, { metadata });
}

/** The most messages that a task takes: what it costs grows with them. */
export function requireFewer({ identity, messageCount }: TaskLog, most: number): void {
  if (messageCount < most) return;
  const metadata = { taskId: identity.id, limit: 'messagesPerTask', most: String(most) };
  const advice = 'send a new message in its context instead';
  throw new A2AError('UNSUPPORTED_OPERATION', `The task has the ${most} messages that a task may have: ${advice}`, {
    metadata,
  });
}

/** The most messages that may wait for the agent to read them. */
export function requireRoom({ identity }: TaskLog, waiting: number, most: number): void {
  if (waiting < most) return;
  throw new A2AError('OVERLOADED', `${waiting} messages are waiting for the agent to read them; try again later`, {
    metadata: { taskId: identity.id, limit: 'queuedMessages' },
  });
}

/** An answer to one question is never taken for the answer to the next. */
export function requireAsked({ identity, status }: TaskLog, message: Message, answers: string | undefined): void {
  if (answers === undefined) return;
  const asked = isInterrupted(status.state) ? status.message : undefined;
  if (asked?.messageId === answers) return;
  // Others that were asked beside it may have been answered since.
  const ids = answeredIds(message);
  if (asked && openQuestionsOf(asked).some(({ id }) => ids.includes(id))) return;
  throw noLongerAsked(identity.id, answers);
}

/** The questions of a task's run, by their names. */
export interface AskedBefore {
  readonly openQuestions: readonly { readonly id?: string | undefined }[];
  readonly closedIds?: ReadonlySet<string> | undefined;
}

/** An answer that names a question which is not open is for none of those that are: it may have come twice. */
export function requireOpenQuestion(asked: AskedBefore, message: Message, { identity }: TaskLog): void {
  const { openQuestions: open, closedIds } = asked;
  if (open.length === 0) return;
  const ids = answeredIds(message);
  const isOpen = open.some(({ id }) => id !== undefined && ids.includes(id));
  if (!isOpen && ids.length > 0 && ids.every((id) => closedIds?.has(id))) {
    throw noLongerAsked(identity.id, ids.join(', '));
  }
  if (answeredAmong(message, open).length > 0) return;
  const known = open.map(({ id }) => id ?? '(no id)').join(', ');
  throw invalidParams({
    field: 'message.parts',
    description: `answers ${ids.map(quoted).join(', ')}, which the task does not wait for; it waits for: ${known}`,
  });
}

function noLongerAsked(taskId: string, answers: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', 'The task no longer waits for this answer', {
    metadata: { taskId, answers },
  });
}

/** A front runs nothing, and a secret is written down for other nodes only where it is encrypted. */
export function cannotHandOn(): A2AError {
  const why =
    'This server cannot hand a credential on to one that runs the agent: it has no secretKey to encrypt it with';
  return new A2AError('UNAVAILABLE', why);
}

/** Stores a bare reply under its idempotency key; resolves when that is committed. */
export function storeReply(committer: Committer, key: KeyRecord): Promise<void> {
  return new Promise((resolve, reject) => {
    committer.mark({
      isMarked: false,
      take: () => ({ kind: 'reply', key }),
      settled: () => undefined,
      told: resolve,
      refused: (result) => reject(new CommitRefused(result)),
      failed: (error) => reject(storeUnavailable(error)),
    });
  });
}
