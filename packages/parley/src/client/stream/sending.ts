import { A2AError } from '../../model/errors.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import { isTask, type Message, type StreamEvent, type Task } from '../../model/task.ts';
import { uuidv7Source } from '../../model/uuid.ts';
import type { CallDetails, Calls } from '../call/calls.ts';
import { type Linked, linked } from '../call/signals.ts';
import type { Timing } from '../call/timing.ts';
import type { Connection } from '../card/connection.ts';
import { AnsweringStream } from '../input/answering.ts';
import { answered, declaring, followingUp } from '../input/answering-calls.ts';
import { answerTo } from '../input/input-answers.ts';
import { handlersOf, type InputHandlers } from '../input/inputs.ts';
import { type Content, type MessageInput, sendInput } from '../message/content.ts';
import { type CallOptions, type ClientOptions, reconnectSettings, type SendOptions } from '../options.ts';
import { ResumingStream } from './resuming.ts';
import type { Received, ResumingOptions, StreamSource } from './stream-source.ts';
import { type EventSource, TaskStream } from './task-stream.ts';

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
  readonly #newId = uuidv7Source();

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
    if (this.#streams || this.#handlersOf(options)) return this.stream(content, options).result;
    const result = await this.send(content, options);
    return isTask(result) && !hasTurnEnded(result) ? this.#follow(result, options).result : result;
  }

  /** Sends; resolves with the task when its turn has ended, or with the message that an agent replied. */
  async send(content: Content, options: SendOptions): Promise<Task | Message> {
    await this.#host.calls.open(options);
    const handlers = this.#handlersOf(options);
    const first = await this.#sendOnce(content, declaring(options, handlers), this.#messageIds(options));
    if (!handlers || !first.waits) return first.result;
    const { signal, release } = linked(options.signal, this.#host.options.signal);
    try {
      const tell = (task: Task, message: MessageInput) => this.#tell(task, message, options);
      return await answered(first.result, handlers, signal, tell, this.#newId);
    } finally {
      release();
    }
  }

  /** Sends the response to a question. */
  async #tell(task: Task, message: MessageInput, options: SendOptions): Promise<Task | Message> {
    const settings = followingUp(declaring(options, this.#handlersOf(options)), task);
    return (await this.#sendOnce(message, settings, this.#newId)).result;
  }

  async #sendOnce(content: Content, options: SendOptions, newId: () => string) {
    const { tenant: _, ...input } = await sendInput(content, options, '', newId);
    const waits = !input.returnImmediately;
    const result = await this.#host.calls.unary('sendMessage', input, { ...this.#detailsOf(options), waits });
    return { result, waits };
  }

  /** Sends; the events of the task as they happen, over as many connections as it takes. */
  stream(content: Content, options: SendOptions): TaskStream {
    const { tenant, headers } = options;
    return new TaskStream({
      open: async (signal) => {
        const handlers = this.#handlersOf(options);
        if (!handlers) return this.#sendStream(content, options, signal);
        const both = linked(options.signal, signal);
        try {
          const first = await this.#sendStream(content, declaring(options, handlers), both.signal);
          return this.#answering(first, handlers, options, both, false);
        } catch (error) {
          both.release();
          throw error;
        }
      },
      cancelTask: (id) => this.#host.cancelTask(id, { tenant, headers }),
    });
  }

  /** The events of a task from now on, beginning with the task as it is, or after a position. */
  subscribe(taskId: string, lastEventId: string | undefined, options: CallOptions & InputHandlers): TaskStream {
    const { tenant, headers } = options;
    return new TaskStream({
      taskId,
      open: (signal) =>
        this.#opened(options, signal, async (both) => {
          const handlers = this.#handlersOf(options);
          const place = { taskId, lastEventId };
          if (!handlers) return this.#resuming(SUBSCRIPTION, options, both, place);
          const first = this.#resuming(SUBSCRIPTION, options, linked(both.signal), place);
          return this.#answering(first, handlers, options, both, true);
        }),
      cancelTask: (id) => this.#host.cancelTask(id, { tenant, headers }),
    });
  }

  /** Follows a task that an agent returned before its turn had ended. */
  #follow(task: Task, options: SendOptions): TaskStream {
    return new TaskStream({
      taskId: task.id,
      open: async (signal) => {
        const begin = { send: async () => inOneEvent(task), message: undefined, isPolled: !this.#streams };
        return this.#resuming(begin, options, linked(options.signal, signal));
      },
      cancelTask: (id) => this.#host.cancelTask(id, {}),
    });
  }

  #sendStream(content: Content, options: SendOptions, signal: AbortSignal, known?: Task): Promise<ResumingStream> {
    return this.#opened(options, signal, async (both) => {
      const { calls } = this.#host;
      const { tenant: _, ...input } = await sendInput(content, options, '', this.#messageIds(options));
      const details = { ...this.#detailsOf(options), signal: both.signal };
      const send = this.#streams
        ? () => calls.stream('sendStreamingMessage', input, { ...details, idleTimeout: this.#idleTimeout })
        : async () => inOneEvent(await calls.unary('sendMessage', input, { ...details, waits: true }));
      return this.#resuming({ send, message: input.message, isPolled: !this.#streams }, options, both, { known });
    });
  }

  /** The stream, with its questions answered by the handlers. */
  #answering(
    first: EventSource,
    handlers: InputHandlers,
    options: SendOptions,
    { signal, release }: Linked,
    isSubscription: boolean,
  ): AnsweringStream {
    const settings = { ...declaring(options, handlers), signal };
    const { timeout, headers, extensions, tenant } = options;
    return new AnsweringStream(first, {
      isSubscription,
      signal,
      newId: this.#newId,
      answer: (task) => answerTo(task, handlers, signal),
      follow: (task, message) => this.#sendStream(message, followingUp(settings, task), signal, task),
      tell: async (task, message) => void (await this.#tell(task, message, { ...settings, returnImmediately: true })),
      subscribe: async (known) => this.#resuming(SUBSCRIPTION, options, linked(signal), { taskId: known.id, known }),
      getTask: (id) =>
        this.#host.calls.unary('getTask', { id }, { timeout, headers, extensions, tenant, signal, repeatable: true }),
      onEnd: release,
    });
  }

  /** Makes a stream once the agent is known; releases the signals where that fails. */
  async #opened<T>(options: CallOptions, signal: AbortSignal, make: (both: Linked) => Promise<T>): Promise<T> {
    const both = linked(options.signal, signal);
    try {
      await this.#host.calls.open({ ...options, signal: both.signal });
      return await make(both);
    } catch (error) {
      both.release();
      throw error;
    }
  }

  #resuming(
    begin: Pick<StreamSource, 'send' | 'message' | 'isPolled'>,
    { timeout, headers, extensions, tenant, skill }: CallDetails,
    { signal, release }: Linked,
    place: Pick<ResumingOptions, 'taskId' | 'lastEventId' | 'known'> = {},
  ): ResumingStream {
    const { calls, connection, options, timing } = this.#host;
    const { resumes, current } = connection;
    const dialect = current?.dialect;
    const details: CallDetails = { timeout, headers, extensions, tenant, skill, signal };
    const source: StreamSource = {
      ...begin,
      resumes,
      beginsWithTask: dialect?.version !== '0.3' && !dialect?.beginsWithHead,
      beginsWithHead: dialect?.beginsWithHead,
      subscribe: (id, lastEventId) =>
        calls.stream('subscribeToTask', { id }, { ...details, lastEventId, idleTimeout: this.#idleTimeout }),
      getTask: (id) => calls.unary('getTask', { id }, { ...details, repeatable: true }),
    };
    const settings = reconnectSettings(options.reconnect, resumes);
    const { onReconnect } = options;
    return new ResumingStream(source, { settings, timing, signal, onReconnect, onEnd: release, ...place });
  }

  #handlersOf(options: InputHandlers): InputHandlers | undefined {
    return handlersOf(this.#host.options, options);
  }

  /** The same key stands for the same request, and its message's id is part of it. */
  #messageIds({ idempotencyKey }: SendOptions): () => string {
    return idempotencyKey === undefined ? this.#newId : () => idempotencyKey;
  }

  #detailsOf(options: SendOptions): CallDetails {
    const { signal, timeout, headers, extensions, tenant, skill } = options;
    const { resumes } = this.#host.connection;
    const idempotencyKey = options.idempotencyKey ?? (resumes ? this.#newId() : undefined);
    return { signal, timeout, headers, extensions, tenant, skill, idempotencyKey, repeatable: resumes };
  }

  get #streams(): boolean {
    return this.#host.connection.card?.capabilities.streaming ?? false;
  }

  get #idleTimeout(): number {
    return reconnectSettings(this.#host.options.reconnect, this.#host.connection.resumes).idleTimeout;
  }
}

const SUBSCRIPTION: Pick<StreamSource, 'send' | 'message'> = { send: undefined, message: undefined };

function hasTurnEnded({ status: { state } }: Task): boolean {
  return isTerminal(state) || isInterrupted(state) || state === 'unknown';
}

/** A stream of one event, where there is no other. */
async function* inOneEvent(result: Task | Message): Received {
  const event: StreamEvent = isTask(result) ? { kind: 'task', task: result } : { kind: 'message', message: result };
  yield { id: undefined, event, final: false };
}

function notCompleted(task: Task): A2AError {
  const { state, message } = task.status;
  const said = message ? textOf(message) : '';
  const what = state === 'unknown' ? 'The agent cannot tell the state of the task' : `The task is ${state}`;
  const text = said ? `${what}: ${said}` : what;
  return new A2AError('TASK_NOT_COMPLETED', text, { task, metadata: { taskId: task.id, state } });
}
