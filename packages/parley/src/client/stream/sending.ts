import { type EventSource, eventOf, TaskStream } from './task-stream.ts';

// Reached first, so that modules that are alike stand together in a bundle and pack better (decision 0015).

import { A2AError } from '../../model/errors/errors.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import type { CallDetails, Calls } from '../call/calls.ts';
import type { Timing } from '../call/timing.ts';
import type { Connection } from '../card/connection.ts';
import type { Answerer, AnsweringHost, Opened, SentOnce } from '../input/answerer.ts';
import type { InputHandlers } from '../input/inputs.ts';
import { type Content, sendInput } from '../message/content.ts';
import { newMessageId } from '../message/message-id.ts';
import type { CallOptions, ClientOptions, SendOptions } from '../options.ts';
import { ResumingStream } from './resuming.ts';
import type { Received, ResumingOptions, StreamSource } from './stream-source.ts';

/** The client as sends need it. */
interface SendingHost {
  readonly options: ClientOptions;
  readonly timing: Timing;
  readonly connection: Connection;
  readonly calls: Calls;
  readonly cancelTask: (id: string, options: CallOptions) => Promise<Task>;
}

type Place = Pick<ResumingOptions, 'taskId' | 'lastEventId' | 'known'>;

/** Sends messages and follows tasks, over as many requests as that takes. */
export class Sending implements AnsweringHost {
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
    return isTask(result) && !hasTurnEnded(result) ? this.#followSent(result, options).result : result;
  }

  /** Sends; resolves with the task when its turn has ended, or with the message that an agent replied. */
  async send(content: Content, options: SendOptions): Promise<Task | Message> {
    await this.#host.calls.open(options);
    return this.#answererOf(options)?.send(this, content, options) ?? (await this.sendOnce(content, options)).result;
  }

  async sendOnce(content: Content, options: SendOptions): Promise<SentOnce> {
    const input = await sendInput(content, options);
    const waits = !input.returnImmediately;
    const result = await this.#host.calls.unary('sendMessage', input, { ...this.#detailsOf(options), waits });
    return { result, waits };
  }

  /** Sends; the events of the task as they happen, over as many connections as it takes. */
  stream(content: Content, given: SendOptions): TaskStream {
    return this.#streamOf(
      undefined,
      given,
      async (options) => this.#answererOf(options)?.stream(this, content, options) ?? this.sendStream(content, options),
    );
  }

  /** The events of a task from now on, beginning with the task as it is, or after a position. */
  subscribe(taskId: string, lastEventId: string | undefined, given: CallOptions & InputHandlers): TaskStream {
    return this.#streamOf(taskId, given, async (options) => {
      await this.#host.calls.open(options);
      const first = this.follow(options, { taskId, lastEventId });
      return this.#answererOf(options)?.subscription(this, first, options) ?? first;
    });
  }

  /** Follows a task that an agent returned before its turn had ended. */
  #followSent(task: Task, given: SendOptions): TaskStream {
    return this.#streamOf(task.id, given, async (options) => {
      const begin = { send: async () => inOneEvent(task), message: undefined, isPolled: !this.#streams };
      return this.#resuming(begin, options);
    });
  }

  #streamOf<Options extends CallOptions>(
    taskId: string | undefined,
    given: Options,
    open: (options: Options & Opened) => Promise<EventSource>,
  ): TaskStream {
    const { cancelTask, options } = this.#host;
    const { tenant, headers, signal: own } = given;
    return new TaskStream({
      taskId,
      open: (signal) => open({ ...given, signal }),
      signals: [own, options.signal],
      cancelTask: (id) => cancelTask(id, { tenant, headers }),
    });
  }

  /** Sends; what happens then, where a task that is known already has a stream of its own before. */
  async sendStream(content: Content, options: SendOptions & Opened, known?: Task): Promise<EventSource> {
    const { calls } = this.#host;
    await calls.open(options);
    const input = await sendInput(content, options);
    const details = this.#detailsOf(options);
    const send = this.#streams
      ? () => calls.stream('sendStreamingMessage', input, details)
      : async () => inOneEvent(await calls.unary('sendMessage', input, { ...details, waits: true }));
    return this.#resuming({ send, message: input.message, isPolled: !this.#streams }, options, { known });
  }

  /** The events of a task that is there already. */
  follow(options: CallDetails & Opened, place: Place): EventSource {
    return this.#resuming({ send: undefined, message: undefined }, options, place);
  }

  getTask(id: string, options: CallDetails): Promise<Task> {
    return this.#host.calls.unary('getTask', { id }, { ...detailsIn(options), repeatable: true });
  }

  #resuming(
    begin: Pick<StreamSource, 'send' | 'message' | 'isPolled'>,
    given: CallDetails & Opened,
    place: Place = {},
  ): ResumingStream {
    const { calls, connection, options, timing } = this.#host;
    const { resumes, current } = connection;
    const dialect = current?.dialect;
    const source: StreamSource = {
      ...begin,
      resumes,
      beginsWithTask: dialect?.version !== '0.3' && !dialect?.beginsWithHead,
      beginsWithHead: dialect?.beginsWithHead,
      subscribe: (id, lastEventId) => calls.stream('subscribeToTask', { id }, { ...detailsIn(given), lastEventId }),
      getTask: (id) => this.getTask(id, given),
    };
    const { onReconnect } = options;
    const { reconnect: settings, limits } = calls;
    return new ResumingStream(source, { settings, timing, signal: given.signal, onReconnect, ...limits, ...place });
  }

  #answererOf(call: InputHandlers): Answerer | undefined {
    const { options } = this.#host;
    if (!options.answering && (call.onInput ?? call.tools ?? options.onInput ?? options.tools))
      throw new A2AError('INVALID_PARAMS', 'onInput and tools need answering');
    return options.answering?.(options, call);
  }

  #detailsOf(options: SendOptions): CallDetails {
    const { resumes } = this.#host.connection;
    const idempotencyKey = options.idempotencyKey ?? (resumes ? newMessageId() : undefined);
    return { ...detailsIn(options), idempotencyKey, repeatable: resumes };
  }

  get #streams(): boolean {
    return this.#host.connection.card?.capabilities.streaming ?? false;
  }
}

/** The details that hold for all calls of a send. */
function detailsIn({ timeout, headers, extensions, tenant, skill, signal }: CallDetails): CallDetails {
  return { timeout, headers, extensions, tenant, skill, signal };
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
  return new A2AError('TASK_NOT_COMPLETED', [what, said].filter(Boolean).join(': '), {
    task,
    metadata: { taskId: task.id, state },
  });
}
