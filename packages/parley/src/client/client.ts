import type { AgentCard, AgentInterface } from '../model/card.ts';
import { A2AError } from '../model/errors.ts';
import type { JsonObject } from '../model/json.ts';
import type { PushConfig, PushConfigPage } from '../model/operations.ts';
import { textOf } from '../model/parts.ts';
import { isInterrupted, isTerminal } from '../model/states.ts';
import { isTask, type Message, type StreamEvent, type Task } from '../model/task.ts';
import { uuidv7Source } from '../model/uuid.ts';
import { type CallDetails, Calls } from './calls.ts';
import { Connection, type Target } from './connection.ts';
import { type Content, sendInput } from './content.ts';
import { type CallOptions, type ClientOptions, reconnectSettings, type SendOptions } from './options.ts';
import { TrustedOrigins } from './origins.ts';
import { type Received, ResumingStream, type StreamSource } from './resuming.ts';
import { type Linked, linked } from './signals.ts';
import { type TaskFilter, type TaskList, taskList } from './task-list.ts';
import { TaskStream } from './task-stream.ts';
import { systemTiming, type Timing } from './timing.ts';
import { type AgentTool, skillToolsOf, type ToolOptions, toolOf } from './tool.ts';

export interface GetTaskOptions extends CallOptions {
  /** At most so many messages of the history, the newest ones. */
  readonly historyLength?: number | undefined;
}

export interface CancelOptions extends CallOptions {
  readonly metadata?: JsonObject | undefined;
}

export interface SubscribeOptions extends CallOptions {
  /** Begins behind this event; only for servers with the resume extension. */
  readonly lastEventId?: string | number | undefined;
}

export interface ListPushConfigsOptions extends CallOptions {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

/**
 * Calls an agent, in whatever version and over whatever binding it speaks.
 *
 * @example
 * const agent = await A2AClient.connect('https://agent.example.com');
 * console.log(await agent.run('Analyze sales'));
 */
export class A2AClient {
  readonly #options: ClientOptions;
  readonly #timing: Timing;
  readonly #connection: Connection;
  readonly #calls: Calls;
  readonly #newId = uuidv7Source();

  /** Finds the card with the first call. `connect` does it at once. */
  constructor(baseUrl: string | URL | AgentCard | JsonObject, options: ClientOptions = {}) {
    this.#options = options;
    this.#timing = options.timing ?? systemTiming;
    const trusted = new TrustedOrigins(options.allowedOrigins ?? []);
    this.#connection = new Connection(baseUrl, options, trusted, this.#timing.now);
    this.#calls = new Calls(options, this.#connection, trusted, this.#timing);
  }

  /** A client of the agent at an address, or of the agent that a card describes. */
  static async connect(target: Target, options: ClientOptions = {}): Promise<A2AClient> {
    const client = new A2AClient(target, options);
    await client.agentCard();
    return client;
  }

  /** The agent's card; undefined until it was found. */
  get card(): AgentCard | undefined {
    return this.#connection.card;
  }

  /** The interface that is called; undefined until the card was found. */
  get interface(): AgentInterface | undefined {
    return this.#connection.current?.entry;
  }

  /** What is wrong with the card, in sentences; it is used all the same. */
  get cardComplaints(): readonly string[] {
    return this.#connection.complaints;
  }

  /** The agent's card, asked for again when its time is up. */
  async agentCard(options: CallOptions = {}): Promise<AgentCard> {
    await this.#calls.open(options, true);
    return this.#known();
  }

  /** Sends and waits; the text of the result. Throws TASK_NOT_COMPLETED, with the task, on any other end. */
  async run(content: Content, options: SendOptions = {}): Promise<string> {
    const { signal, release } = this.#calls.limited(options);
    try {
      return await this.#run(content, { ...options, signal });
    } finally {
      release();
    }
  }

  async #run(content: Content, options: SendOptions): Promise<string> {
    await this.#calls.open(options);
    const answer = this.#streams
      ? await this.sendMessageStream(content, options).result
      : await this.#settled(await this.sendMessage(content, options), options);
    if (isTask(answer) && answer.status.state !== 'completed') throw notCompleted(answer);
    return textOf(answer);
  }

  /** Sends; the task when its turn has ended, or the answer in one message. */
  async sendMessage(content: Content, options: SendOptions = {}): Promise<Task | Message> {
    await this.#calls.open(options);
    const { tenant: _, ...input } = await sendInput(content, options, '', this.#messageIds(options));
    return this.#calls.unary('sendMessage', input, {
      ...this.#sendDetails(options),
      waits: !input.returnImmediately,
    });
  }

  /** Sends; what happens, as it happens. Reconnects and goes on by itself. */
  sendMessageStream(content: Content, options: SendOptions = {}): TaskStream {
    return new TaskStream({
      open: (signal) =>
        this.#opened(options, signal, async (both) => {
          const { tenant: _, ...input } = await sendInput(content, options, '', this.#messageIds(options));
          const details = { ...this.#sendDetails(options), signal: both.signal };
          const send = this.#streams
            ? () => this.#calls.stream('sendStreamingMessage', input, { ...details, idleTimeout: this.#idleTimeout })
            : async () => single(await this.#calls.unary('sendMessage', input, { ...details, waits: true }));
          return this.#resuming({ send, message: input.message, isPolled: !this.#streams }, options, both);
        }),
      cancelTask: (id) => this.cancelTask(id, { tenant: options.tenant, headers: options.headers }),
    });
  }

  /** The same as `sendMessageStream`. */
  streamMessage(content: Content, options: SendOptions = {}): TaskStream {
    return this.sendMessageStream(content, options);
  }

  /** @param options how much of the history, or more */
  getTask(id: string, options: number | GetTaskOptions = {}): Promise<Task> {
    const { historyLength, ...details } = typeof options === 'number' ? { historyLength: options } : options;
    return this.#calls.unary('getTask', { id, historyLength }, { ...details, repeatable: true });
  }

  /** One page if awaited, all tasks of all pages if iterated over. */
  listTasks(filter: TaskFilter = {}, options: CallOptions = {}): TaskList {
    return taskList(filter, (input) => this.#calls.unary('listTasks', input, { ...options, repeatable: true }));
  }

  /** Asks the agent to stop. A task that was canceled already is as good (reference: v1-operations §8). */
  async cancelTask(id: string, options: CancelOptions = {}): Promise<Task> {
    const { metadata, ...details } = options;
    try {
      return await this.#calls.unary('cancelTask', { id, metadata }, { ...details, repeatable: true });
    } catch (error) {
      if (!A2AError.isInstance(error) || error.code !== 'TASK_NOT_CANCELABLE') throw error;
      const task = await this.getTask(id, details).catch(() => undefined);
      if (task?.status.state === 'canceled') return task;
      throw error;
    }
  }

  /** What happens to a task from now on, beginning with the task as it is. */
  subscribe(id: string, options: SubscribeOptions = {}): TaskStream {
    const { lastEventId, ...details } = options;
    return new TaskStream({
      taskId: id,
      open: (signal) =>
        this.#opened(details, signal, async (both) => {
          const position = lastEventId === undefined ? undefined : String(lastEventId);
          return this.#resuming({ send: undefined, message: undefined }, details, both, id, position);
        }),
      cancelTask: () => this.cancelTask(id, { tenant: options.tenant, headers: options.headers }),
    });
  }

  /** Registers a webhook for a task. */
  createPushConfig(taskId: string, config: PushConfig, options: CallOptions = {}): Promise<PushConfig> {
    const repeatable = config.id !== undefined;
    return this.#calls.unary('createPushConfig', { config: { ...config, taskId } }, { ...options, repeatable });
  }

  getPushConfig(taskId: string, id: string, options: CallOptions = {}): Promise<PushConfig> {
    return this.#calls.unary('getPushConfig', { taskId, id }, { ...options, repeatable: true });
  }

  listPushConfigs(taskId: string, options: ListPushConfigsOptions = {}): Promise<PushConfigPage> {
    const { pageSize, pageToken, ...details } = options;
    return this.#calls.unary('listPushConfigs', { taskId, pageSize, pageToken }, { ...details, repeatable: true });
  }

  async deletePushConfig(taskId: string, id: string, options: CallOptions = {}): Promise<void> {
    await this.#calls.unary('deletePushConfig', { taskId, id }, { ...options, repeatable: true });
  }

  /** The card for those who are known to the agent. It takes the place of the public one from then on. */
  async extendedCard(options: CallOptions = {}): Promise<AgentCard> {
    const card = await this.#calls.unary('getExtendedCard', {}, { ...options, repeatable: true });
    this.#connection.useExtended(card);
    return card;
  }

  /** The agent as a tool of a language model. Name and description are the card's, once it is known. */
  asTool(options: ToolOptions = {}): AgentTool {
    return toolOf(this, options);
  }

  /** Each of the agent's skills as a tool. */
  async skillTools(options: ToolOptions = {}): Promise<AgentTool[]> {
    return skillToolsOf(this, await this.agentCard(), options);
  }

  /** The same key stands for the same request, and its message's id is part of it. */
  #messageIds({ idempotencyKey }: SendOptions): () => string {
    return idempotencyKey === undefined ? this.#newId : () => idempotencyKey;
  }

  get #streams(): boolean {
    return this.#connection.card?.capabilities.streaming ?? false;
  }

  get #idleTimeout(): number {
    return reconnectSettings(this.#options.reconnect, this.#connection.resumes).idleTimeout;
  }

  #known(): AgentCard {
    const { card } = this.#connection;
    if (!card) throw new A2AError('INVALID_RESPONSE', 'There is no card');
    return card;
  }

  #sendDetails(options: SendOptions): CallDetails {
    const { signal, timeout, headers, extensions, tenant, skill } = options;
    const { resumes } = this.#connection;
    const idempotencyKey = options.idempotencyKey ?? (resumes ? this.#newId() : undefined);
    return { signal, timeout, headers, extensions, tenant, skill, idempotencyKey, repeatable: resumes };
  }

  /** What is made for a stream once the agent is known; lets go of the signals where that fails. */
  async #opened<T>(options: CallOptions, signal: AbortSignal, make: (both: Linked) => Promise<T>): Promise<T> {
    const both = linked(options.signal, signal);
    try {
      await this.#calls.open({ ...options, signal: both.signal });
      return await make(both);
    } catch (error) {
      both.release();
      throw error;
    }
  }

  #resuming(
    begin: Pick<StreamSource, 'send' | 'message' | 'isPolled'>,
    options: CallDetails,
    { signal, release }: Linked,
    taskId?: string,
    lastEventId?: string,
  ): ResumingStream {
    const { resumes } = this.#connection;
    const details: CallDetails = { ...pick(options), signal };
    const source: StreamSource = {
      ...begin,
      resumes,
      beginsWithTask: this.#connection.current?.dialect.version !== '0.3',
      subscribe: (id, position) =>
        this.#calls.stream(
          'subscribeToTask',
          { id },
          { ...details, lastEventId: position, idleTimeout: this.#idleTimeout },
        ),
      getTask: (id) => this.#calls.unary('getTask', { id }, { ...details, repeatable: true }),
    };
    return new ResumingStream(source, {
      settings: reconnectSettings(this.#options.reconnect, resumes),
      timing: this.#timing,
      signal,
      onReconnect: this.#options.onReconnect,
      onEnd: release,
      taskId,
      lastEventId,
    });
  }

  /** Waits where an agent answered before it was done. */
  async #settled(answer: Task | Message, options: SendOptions): Promise<Task | Message> {
    if (!isTask(answer) || isTerminal(answer.status.state) || isInterrupted(answer.status.state)) return answer;
    const stream = new TaskStream({
      taskId: answer.id,
      open: async (signal) => {
        const both = linked(options.signal, signal);
        const send = async () => single(answer);
        return this.#resuming({ send, message: undefined, isPolled: !this.#streams }, options, both);
      },
      cancelTask: (id) => this.cancelTask(id),
    });
    return stream.result;
  }
}

/** A stream of one event, where there is no other. */
function single(answer: Task | Message): Received {
  const event: StreamEvent = isTask(answer) ? { kind: 'task', task: answer } : { kind: 'message', message: answer };
  return (async function* () {
    yield { id: undefined, event, final: false };
  })();
}

/** What goes with every request of a stream. */
function pick({ timeout, headers, extensions, tenant, skill }: CallDetails): CallDetails {
  return { timeout, headers, extensions, tenant, skill };
}

function notCompleted(task: Task): A2AError {
  const { state, message } = task.status;
  const said = message ? textOf(message) : '';
  const text = said ? `The task is ${state}: ${said}` : `The task is ${state}`;
  return new A2AError('TASK_NOT_COMPLETED', text, { task, metadata: { taskId: task.id, state } });
}
