import { type EventSource, eventOf, TaskStream } from './task-stream.ts';

// Reached first, so that modules that are alike stand together in a bundle and pack better (decision 0015).

import { A2AError } from '../../model/errors/errors.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import type { CallDetails, Calls } from '../call/calls.ts';
import { linked } from '../call/signals.ts';
import type { Timing } from '../call/timing.ts';
import type { Connection } from '../card/connection.ts';
import type { Answerer } from '../input/answerer.ts';
import type { InputHandlers } from '../input/inputs.ts';
import { type Content, type MessageInput, sendInput } from '../message/content.ts';
import { newMessageId } from '../message/message-id.ts';
import type { CallOptions, ClientOptions, SendOptions } from '../options.ts';
import { ResumingStream } from './resuming.ts';
import type { Received, ResumingOptions, StreamSource } from './stream-source.ts';

/** The client as sends need it. */
export interface SendingHost {
  readonly options: ClientOptions;
  readonly timing: Timing;
  readonly connection: Connection;
  readonly calls: Calls;
  readonly cancelTask: (id: string, options: CallOptions) => Promise<Task>;
}

/** Sends messages and follows tasks, over as many requests as that takes. */
export class Sending {
  readonly #host: SendingHost;

  constructor(host: SendingHost) {
    this.#host = host;
  }

  /** Sends and waits, for no longer than the options allow; throws TASK_NOT_COMPLETED on any end but completion. */
  async complete(content: Content, options: SendOptions): Promise<Task | Message> {
    const { signal, release } = this.#host.calls.limited(options);
    try {
      const result = await this.#settle(content, { ...options, signal });
      if (isTask(result) && result.status.state !== 'completed') throw notCompleted(result);
      return result;
    } finally {
      release();
    }
  }

  async #settle(content: Content, options: SendOptions): Promise<Task | Message> {
    await this.#host.calls.open(options);
    if (this.#streams || this.#answererOf(options)) return this.stream(content, options).result;
    const result = await this.send(content, options);
    return isTask(result) && !hasTurnEnded(result) ? this.#follow(result, options).result : result;
  }

  /** Sends; resolves with the task when its turn has ended, or with the message that an agent replied. */
  async send(content: Content, options: SendOptions): Promise<Task | Message> {
    await this.#host.calls.open(options);
    const answerer = this.#answererOf(options);
    const declared = answerer?.declaring(options) ?? options;
    const first = await this.#sendOnce(content, declared, this.#messageIds(options));
    if (!answerer || !first.waits) return first.result;
    const { signal, release } = linked(options.signal, this.#host.options.signal);
    try {
      const tell = (task: Task, message: MessageInput) => this.#tell(message, answerer.followingUp(options, task));
      return await answerer.answered(first.result, signal, tell, newMessageId);
    } finally {
      release();
    }
  }

  /** Sends the response to a question. */
  async #tell(message: MessageInput, options: SendOptions): Promise<Task | Message> {
    return (await this.#sendOnce(message, options, newMessageId)).result;
  }

  async #sendOnce(content: Content, options: SendOptions, newId: () => string) {
    const input = await sendInput(content, options, newId);
    const waits = !input.returnImmediately;
    const result = await this.#host.calls.unary('sendMessage', input, { ...this.#detailsOf(options), waits });
    return { result, waits };
  }

  /** Sends; the events of the task as they happen, over as many connections as it takes. */
  stream(content: Content, options: SendOptions): TaskStream {
    return this.#streamOf(undefined, options, async (signal) => {
      const answerer = this.#answererOf(options);
      const first = await this.#sendStream(content, answerer?.declaring(options) ?? options, signal);
      return answerer ? this.#answering(first, answerer, options, signal, false) : first;
    });
  }

  /** The events of a task from now on, beginning with the task as it is, or after a position. */
  subscribe(taskId: string, lastEventId: string | undefined, options: CallOptions & InputHandlers): TaskStream {
    return this.#streamOf(taskId, options, async (signal) => {
      await this.#host.calls.open({ ...options, signal });
      const answerer = this.#answererOf(options);
      const first = this.#resuming(SUBSCRIPTION, options, signal, { taskId, lastEventId });
      return answerer ? this.#answering(first, answerer, options, signal, true) : first;
    });
  }

  /** Follows a task that an agent returned before its turn had ended. */
  #follow(task: Task, options: SendOptions): TaskStream {
    return this.#streamOf(task.id, options, async (signal) => {
      const begin = { send: async () => inOneEvent(task), message: undefined, isPolled: !this.#streams };
      return this.#resuming(begin, options, signal);
    });
  }

  #streamOf(
    taskId: string | undefined,
    { tenant, headers, signal }: CallOptions,
    open: (signal: AbortSignal) => Promise<EventSource>,
  ): TaskStream {
    const { cancelTask, options } = this.#host;
    const signals = [signal, options.signal];
    return new TaskStream({ taskId, open, signals, cancelTask: (id) => cancelTask(id, { tenant, headers }) });
  }

  async #sendStream(
    content: Content,
    options: SendOptions,
    signal: AbortSignal,
    known?: Task,
  ): Promise<ResumingStream> {
    const { calls } = this.#host;
    await calls.open({ ...options, signal });
    const input = await sendInput(content, options, this.#messageIds(options));
    const details = { ...this.#detailsOf(options), signal };
    const send = this.#streams
      ? () => calls.stream('sendStreamingMessage', input, details)
      : async () => inOneEvent(await calls.unary('sendMessage', input, { ...details, waits: true }));
    return this.#resuming({ send, message: input.message, isPolled: !this.#streams }, options, signal, { known });
  }

  #answering(
    first: EventSource,
    answerer: Answerer,
    options: SendOptions,
    signal: AbortSignal,
    isSubscription: boolean,
  ): EventSource {
    const settings = { ...options, signal };
    const details = { ...detailsIn(options), signal, repeatable: true };
    return answerer.stream(first, {
      isSubscription,
      signal,
      newId: newMessageId,
      follow: (task, message) => this.#sendStream(message, answerer.followingUp(settings, task), signal, task),
      tell: async (task, message) =>
        void (await this.#tell(message, answerer.followingUp({ ...settings, returnImmediately: true }, task))),
      subscribe: async (known) => this.#resuming(SUBSCRIPTION, options, signal, { taskId: known.id, known }),
      getTask: (id) => this.#host.calls.unary('getTask', { id }, details),
    });
  }

  #resuming(
    begin: Pick<StreamSource, 'send' | 'message' | 'isPolled'>,
    given: CallDetails,
    signal: AbortSignal,
    place: Pick<ResumingOptions, 'taskId' | 'lastEventId' | 'known'> = {},
  ): ResumingStream {
    const { calls, connection, options, timing } = this.#host;
    const { resumes, current } = connection;
    const dialect = current?.dialect;
    const details: CallDetails = { ...detailsIn(given), signal };
    const source: StreamSource = {
      ...begin,
      resumes,
      beginsWithTask: dialect?.version !== '0.3' && !dialect?.beginsWithHead,
      beginsWithHead: dialect?.beginsWithHead,
      subscribe: (id, lastEventId) => calls.stream('subscribeToTask', { id }, { ...details, lastEventId }),
      getTask: (id) => calls.unary('getTask', { id }, { ...details, repeatable: true }),
    };
    const { onReconnect } = options;
    const { reconnect: settings, limits } = calls;
    return new ResumingStream(source, { settings, timing, signal, onReconnect, ...limits, ...place });
  }

  #answererOf(call: InputHandlers): Answerer | undefined {
    const { options } = this.#host;
    if (!options.answering && (call.onInput ?? call.tools ?? options.onInput ?? options.tools))
      throw new A2AError('INVALID_PARAMS', 'onInput and tools need answering');
    return options.answering?.(options, call);
  }

  /** The same key stands for the same request, and its message's id is part of it. */
  #messageIds({ idempotencyKey }: SendOptions): () => string {
    return idempotencyKey === undefined ? newMessageId : () => idempotencyKey;
  }

  #detailsOf(options: SendOptions): CallDetails {
    const { resumes } = this.#host.connection;
    const idempotencyKey = options.idempotencyKey ?? (resumes ? newMessageId() : undefined);
    return { ...detailsIn(options), signal: options.signal, idempotencyKey, repeatable: resumes };
  }

  get #streams(): boolean {
    return this.#host.connection.card?.capabilities.streaming ?? false;
  }
}

const SUBSCRIPTION: Pick<StreamSource, 'send' | 'message'> = { send: undefined, message: undefined };

/** The details that hold for all calls of a send. */
function detailsIn({ timeout, headers, extensions, tenant, skill }: CallDetails): CallDetails {
  return { timeout, headers, extensions, tenant, skill };
}

function hasTurnEnded({ status: { state } }: Task): boolean {
  return isTerminal(state) || isInterrupted(state) || state === 'unknown';
}

/** A stream of one event, where there is no other. */
async function* inOneEvent(result: Task | Message): Received {
  yield { id: undefined, event: eventOf(result), final: false };
}

/** The error of an end that is none. */
export function notCompleted(task: Task): A2AError {
  const { state, message } = task.status;
  const said = message ? textOf(message) : '';
  const what = state === 'unknown' ? 'The agent cannot tell the state of the task' : `The task is ${state}`;
  const text = said ? `${what}: ${said}` : what;
  return new A2AError('TASK_NOT_COMPLETED', text, { task, metadata: { taskId: task.id, state } });
}
