import { answerTo } from './input-answers.ts';

// Reached first, so that modules that are alike stand together in a bundle and pack better (decision 0015).

import type { JsonObject } from '../../model/basics/json.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { TOOLS_EXTENSION } from '../../model/extensions/caller-tools.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import { abortable } from '../call/signals.ts';
import type { MessageInput } from '../message/content.ts';
import type { SendOptions } from '../options.ts';
import type { Answering } from './answerer.ts';
import { AnsweringStream } from './answering.ts';
import { declarationsOf, handlersOf, type InputHandlers } from './inputs.ts';
import { Secrets } from './secrets.ts';

/**
 * Answers the questions of agents by `onInput` and `tools`. The client of `parley-a2a` has it; one of `parley-a2a/client` is
 * handed it: `new A2AClient(url, { answering, onInput })`.
 */
export const answering: Answering = (client, call) => {
  const handlers = handlersOf(client, call);
  return (
    handlers && {
      declaring: (options) => declaring(options, handlers),
      followingUp: (options, task) => followingUp(declaring(options, handlers), task),
      answered: (first, signal, send, newId) => answered(first, handlers, signal, send, newId),
      stream: (first, host) => new AnsweringStream(first, host, (task) => answerTo(task, handlers, host.signal)),
    }
  );
};

/** The options of a send that says which tools there are. */
function declaring(options: SendOptions, handlers: InputHandlers): SendOptions {
  const tools = declarationsOf(handlers.tools ?? {});
  if (tools.length === 0) return options;
  return { ...options, metadata: { ...options.metadata, [TOOLS_EXTENSION]: { tools } as unknown as JsonObject } };
}

/** The options of a send that answers: those of the first one, without what was for that one alone. */
function followingUp(options: SendOptions, task: Task): SendOptions {
  return {
    ...options,
    taskId: task.id,
    contextId: task.contextId === '' ? undefined : task.contextId,
    idempotencyKey: undefined,
    referenceTaskIds: undefined,
    pushConfig: undefined,
  };
}

/** An agent that asks without an end gets no more answers than this to one send. */
const MOST_ANSWERS = 256;

/** Answers for as long as the agent asks; the task at the end. */
async function answered(
  first: Task | Message,
  handlers: InputHandlers,
  signal: AbortSignal,
  send: (task: Task, message: MessageInput & { readonly messageId: string }) => Promise<Task | Message>,
  newId: () => string,
): Promise<Task | Message> {
  const secrets = new Secrets();
  let received = first;
  try {
    for (let count = 0; count < MOST_ANSWERS; count += 1) {
      if (!isTask(received) || received.status.state !== 'input-required') break;
      const answer = await abortable(answerTo(received, handlers, signal), signal);
      signal.throwIfAborted();
      if (!answer) break;
      const messageId = answer.message.messageId ?? newId();
      if (answer.isSensitive) secrets.add(messageId);
      received = await send(received, { ...answer.message, messageId });
    }
  } catch (error) {
    throw isA2AError(error) ? secrets.error(error) : error;
  }
  return isTask(received) ? secrets.task(received) : received;
}
