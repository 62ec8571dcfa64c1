import { answerTo } from './input-answers.ts';

// Reached first, so that modules that are alike stand together in a bundle and pack better (decision 0015).

import type { JsonObject } from '../../model/basics/json.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { TOOLS_EXTENSION } from '../../model/extensions/caller-tools.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import { abortable, linked } from '../call/signals.ts';
import type { MessageInput } from '../message/content.ts';
import { newMessageId } from '../message/message-id.ts';
import type { SendOptions } from '../options.ts';
import { MOST_ANSWERS } from '../pace.ts';
import type { EventSource } from '../stream/task-stream.ts';
import type { Answering, AnsweringHost, Opened } from './answerer.ts';
import { AnsweringStream, type StreamHost } from './answering.ts';
import { declarationsOf, handlersOf, type InputHandlers } from './inputs.ts';
import { Secrets } from './secrets.ts';

/**
 * Answers the questions of agents by `onInput` and `tools`. The client of `parley-a2a` has it; one of `parley-a2a/client` is
 * handed it: `new A2AClient(url, { answering, onInput })`.
 */
export const answering: Answering = (client, call) => {
  const handlers = handlersOf(client, call);
  if (!handlers) return undefined;
  const opened = (first: EventSource, host: AnsweringHost, options: SendOptions & Opened, isSubscription: boolean) => {
    const following = (task: Task) => followingUp(declaring(options, handlers), task);
    const streamHost: StreamHost = {
      isSubscription,
      signal: options.signal,
      newId: newMessageId,
      follow: (task, message) => host.sendStream(message, { ...following(task), signal: options.signal }, task),
      tell: async (task, message) =>
        void (await host.sendOnce(message, { ...following(task), returnImmediately: true })),
      subscribe: async (known) => host.follow(options, { taskId: known.id, known }),
      getTask: (id) => host.getTask(id, options),
    };
    return new AnsweringStream(first, streamHost, (task) => answerTo(task, handlers, options.signal));
  };
  return {
    async send(host, content, options) {
      const declared = declaring(options, handlers);
      const { result, waits } = await host.sendOnce(content, declared);
      if (!waits) return result;
      const { signal, release } = linked(options.signal, client.signal);
      try {
        return await answered(result, handlers, signal, async (task, message) => {
          const next = await host.sendOnce(message, followingUp(declared, task));
          return next.result;
        });
      } finally {
        release();
      }
    },
    stream: async (host, content, options) =>
      opened(
        await host.sendStream(content, { ...declaring(options, handlers), signal: options.signal }),
        host,
        options,
        false,
      ),
    subscription: (host, first, options) => opened(first, host, options, true),
  };
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

/** Answers for as long as the agent asks; the task at the end. */
async function answered(
  first: Task | Message,
  handlers: InputHandlers,
  signal: AbortSignal,
  send: (task: Task, message: MessageInput) => Promise<Task | Message>,
): Promise<Task | Message> {
  const secrets = new Secrets();
  let received = first;
  try {
    for (let count = 0; count < MOST_ANSWERS; count += 1) {
      if (!isTask(received) || received.status.state !== 'input-required') break;
      const answer = await abortable(answerTo(received, handlers, signal), signal);
      signal.throwIfAborted();
      if (!answer) break;
      const messageId = answer.message.messageId ?? newMessageId();
      if (answer.isSensitive) secrets.add(messageId);
      received = await send(received, { ...answer.message, messageId });
    }
  } catch (error) {
    throw isA2AError(error) ? secrets.error(error) : error;
  }
  return isTask(received) ? secrets.task(received) : received;
}
