import type { JsonObject } from '../model/basics/json.ts';
import type { AgentCard, AgentInterface } from '../model/card.ts';
import { isA2AError } from '../model/errors/errors.ts';
import type { SkilledAgent } from '../model/extensions/skills.ts';
import type { OperationInputs, OperationResults, UnaryOperationName } from '../model/operations.ts';
import { textOf } from '../model/parts.ts';
import type { Message, Task } from '../model/task.ts';
import { TrustedOrigins } from './auth/origins.ts';
import { type CallDetails, Calls } from './call/calls.ts';
import { systemTiming } from './call/timing.ts';
import { Connection, type Target } from './card/connection.ts';
import type { InputHandlers } from './input/inputs.ts';
import type { Content } from './message/content.ts';
import { type CallOptions, type ClientOptions, type SendOptions, settingsElsewhere } from './options.ts';
import { Sending } from './stream/sending.ts';
import type { TaskStream } from './stream/task-stream.ts';
import { type TaskFilter, type TaskList, taskList } from './tasks/task-list.ts';

export interface GetTaskOptions extends CallOptions {
  /** The most messages of the history; the newest ones count. */
  readonly historyLength?: number | undefined;
}

export interface CancelOptions extends CallOptions {
  /** The reason. Only the protocol `jaf` carries it. */
  readonly reason?: string | undefined;
  /** Facts about the cancellation, for the server. */
  readonly metadata?: JsonObject | undefined;
}

export interface SubscribeOptions extends CallOptions, InputHandlers {
  /** Begins after this event. Only for servers with the resume extension. */
  readonly lastEventId?: string | number | undefined;
}

/** With the agent itself, the client also checks the results of its skills, and types them. */
export interface SkilledClientOptions<Agent extends SkilledAgent> extends ClientOptions {
  /** The agent whose skills the client knows by type. */
  readonly agent?: Agent | undefined;
}

/**
 * Calls an agent, in whatever official version and over whatever binding it speaks, and in the informal dialects that the
 * options name.
 *
 * @example
 * const agent = await A2AClient.connect('https://agent.example.com');
 * console.log(await agent.run('Analyze sales'));
 */
export class A2AClient<Agent extends SkilledAgent = SkilledAgent> {
  readonly #options: SkilledClientOptions<Agent>;
  readonly #trusted: TrustedOrigins;
  readonly #connection: Connection;
  readonly #calls: Calls;
  readonly #sending: Sending;

  /** Finds the card with the first call. `connect` does it at once. */
  constructor(baseUrl: Target, options: SkilledClientOptions<Agent> = {}) {
    if (options.trust) throw new TypeError('trust needs verifiedCards of parley-a2a/cards');
    const timing = options.timing ?? systemTiming;
    this.#options = options;
    this.#trusted = new TrustedOrigins(options.allowedOrigins ?? []);
    this.#connection = new Connection(baseUrl, options, this.#trusted, timing.now);
    this.#calls = new Calls(options, this.#connection, this.#trusted, timing);
    this.#sending = new Sending({
      options,
      timing,
      connection: this.#connection,
      calls: this.#calls,
      cancelTask: (id, details) => this.cancelTask(id, details),
    });
  }

  /** A client of the agent at an address, or of the agent that a card describes. */
  static async connect<Agent extends SkilledAgent = SkilledAgent>(
    target: Target,
    options: SkilledClientOptions<Agent> = {},
  ): Promise<A2AClient<Agent>> {
    const client = new A2AClient<Agent>(target, options);
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

  /** The faults of the card, in sentences; it is used anyway. */
  get cardProblems(): readonly string[] {
    return this.#connection.complaints;
  }

  /** Milliseconds for every call, where the user has set it. */
  get timeout(): number | undefined {
    return this.#options.timeout;
  }

  /** The agent's card, asked for again when its time is up. */
  async agentCard(options: CallOptions = {}): Promise<AgentCard> {
    await this.#calls.open(options, true);
    return this.#connection.card as AgentCard;
  }

  /** The agent itself, where the program has it. */
  get agent(): Agent | undefined {
    return this.#options.agent;
  }

  /** Sends and waits; the text of the result. Throws TASK_NOT_COMPLETED, with the task, on any other end. */
  async run(content: Content, options: SendOptions = {}): Promise<string> {
    return textOf(await this.complete(content, options));
  }

  /** Sends and waits; the completed task, or the message that the agent replied. Throws as `run` does. */
  complete(content: Content, options: SendOptions = {}): Promise<Task | Message> {
    return this.#sending.complete(content, options);
  }

  /** Sends; the task when its turn has ended, or the message that the agent replied. */
  sendMessage(content: Content, options: SendOptions = {}): Promise<Task | Message> {
    return this.#sending.send(content, options);
  }

  /** Sends; events as they happen. Reconnects when the connection is lost. */
  sendMessageStream(content: Content, options: SendOptions = {}): TaskStream {
    return this.#sending.stream(content, options);
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
    const { metadata, reason, ...details } = options;
    try {
      return await this.#calls.unary('cancelTask', { id, metadata, reason }, { ...details, repeatable: true });
    } catch (error) {
      if (!isA2AError(error) || error.code !== 'TASK_NOT_CANCELABLE') throw error;
      const task = await this.getTask(id, details).catch(() => undefined);
      if (task?.status.state === 'canceled') return task;
      throw error;
    }
  }

  /** The events of a task from now on, beginning with the task as it is. */
  subscribe(id: string, options: SubscribeOptions = {}): TaskStream {
    const { lastEventId, ...details } = options;
    return this.#sending.subscribe(id, lastEventId === undefined ? undefined : String(lastEventId), details);
  }

  /** The card for those who are known to the agent. It takes the place of the public one from then on. */
  async extendedCard(options: CallOptions = {}): Promise<AgentCard> {
    const card = await this.#calls.unary('getExtendedCard', {}, { ...options, repeatable: true });
    this.#connection.useExtended(card);
    return card;
  }

  /** The same client, for an agent whose type is known: `client.as<typeof reporter>()`. */
  as<Other extends SkilledAgent>(): A2AClient<Other> {
    return this as unknown as A2AClient<Other>;
  }

  /**
   * A client of another agent, with the same settings. What the user entrusted to this one (credentials, headers,
   * interceptors, tools) goes along only to the card's own origin and to `allowedOrigins`.
   */
  at(url: string | URL): A2AClient {
    return new A2AClient(url, this.settingsFor(url));
  }

  /** Calls an operation of the protocol. */
  protected call<Name extends UnaryOperationName>(
    operation: Name,
    input: Omit<OperationInputs[Name], 'tenant'>,
    details: CallDetails,
  ): Promise<OperationResults[Name]> {
    return this.#calls.unary(operation, input, details);
  }

  /** The settings of this client that hold for another agent. */
  protected settingsFor(url: string | URL): ClientOptions {
    return settingsElsewhere(this.#options, this.#trusted.has(url));
  }
}
