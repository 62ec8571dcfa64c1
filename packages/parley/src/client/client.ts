import type { AgentCard, AgentInterface } from '../model/card.ts';
import { A2AError } from '../model/errors.ts';
import type { ShapesOfAgent, SkilledAgent, SkillShape } from '../model/extensions/skills.ts';
import type { JsonObject } from '../model/json.ts';
import type { PushConfig, PushConfigPage } from '../model/operations.ts';
import { textOf } from '../model/parts.ts';
import { isInterrupted, isTerminal } from '../model/states.ts';
import { isTask, type Message, type StreamEvent, type Task } from '../model/task.ts';
import { uuidv7Source } from '../model/uuid.ts';
import { TrustedOrigins } from './auth/origins.ts';
import { type CallDetails, Calls } from './call/calls.ts';
import { type Linked, linked } from './call/signals.ts';
import { systemTiming, type Timing } from './call/timing.ts';
import { Connection, type Target } from './card/connection.ts';
import { AnsweringStream } from './input/answering.ts';
import { answered, declaring, followingUp } from './input/answering-calls.ts';
import { answerTo } from './input/input-answers.ts';
import { handlersOf, type InputHandlers } from './input/inputs.ts';
import { type Content, type MessageInput, sendInput } from './message/content.ts';
import {
  type CallOptions,
  type ClientOptions,
  reconnectSettings,
  type SendOptions,
  settingsElsewhere,
} from './options.ts';
import { type SkillClient, skillClient } from './skill/skill.ts';
import { type AgentTool, type PendingTool, skillToolsOf, type ToolOptions, toolOf } from './skill/tool.ts';
import { type Received, type ResumingOptions, ResumingStream, type StreamSource } from './stream/resuming.ts';
import { type EventSource, TaskStream } from './stream/task-stream.ts';
import { type TaskFilter, type TaskList, taskList } from './tasks/task-list.ts';

export interface GetTaskOptions extends CallOptions {
  /** At most so many messages of the history, the newest ones. */
  readonly historyLength?: number | undefined;
}

export interface CancelOptions extends CallOptions {
  /** Why; only the protocol `jaf` has room for it. */
  readonly reason?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface SubscribeOptions extends CallOptions, InputHandlers {
  /** Begins behind this event; only for servers with the resume extension. */
  readonly lastEventId?: string | number | undefined;
}

export interface ListPushConfigsOptions extends CallOptions {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

/** With the agent itself, where the program has it, what its skills give is checked here as well, and typed. */
export interface SkilledClientOptions<Agent extends SkilledAgent> extends ClientOptions {
  readonly agent?: Agent | undefined;
}

/**
 * Calls an agent, in whatever version and over whatever binding it speaks.
 *
 * @example
 * const agent = await A2AClient.connect('https://agent.example.com');
 * console.log(await agent.run('Analyze sales'));
 */
export class A2AClient<Agent extends SkilledAgent = SkilledAgent> {
  readonly #options: SkilledClientOptions<Agent>;
  readonly #timing: Timing;
  readonly #trusted: TrustedOrigins;
  readonly #connection: Connection;
  readonly #calls: Calls;
  readonly #newId = uuidv7Source();

  /** Finds the card with the first call. `connect` does it at once. */
  constructor(baseUrl: string | URL | AgentCard | JsonObject, options: SkilledClientOptions<Agent> = {}) {
    this.#options = options;
    this.#timing = options.timing ?? systemTiming;
    this.#trusted = new TrustedOrigins(options.allowedOrigins ?? []);
    this.#connection = new Connection(baseUrl, options, this.#trusted, this.#timing.now);
    this.#calls = new Calls(options, this.#connection, this.#trusted, this.#timing);
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
      return textOf(await this.#finished(content, { ...options, signal }));
    } finally {
      release();
    }
  }

  /** The answer, where the task was completed. */
  async #finished(content: Content, options: SendOptions): Promise<Task | Message> {
    await this.#calls.open(options);
    const answers = handlersOf(this.#options, options) !== undefined;
    const answer =
      this.#streams || answers
        ? await this.sendMessageStream(content, options).result
        : await this.#settled(await this.sendMessage(content, options), options);
    if (isTask(answer) && answer.status.state !== 'completed') throw notCompleted(answer);
    return answer;
  }

  /** Sends; the task when its turn has ended, or the answer in one message. */
  async sendMessage(content: Content, options: SendOptions = {}): Promise<Task | Message> {
    await this.#calls.open(options);
    const handlers = handlersOf(this.#options, options);
    const { tenant: _, ...input } = await sendInput(
      content,
      declaring(options, handlers),
      '',
      this.#messageIds(options),
    );
    const waits = !input.returnImmediately;
    const answer = await this.#calls.unary('sendMessage', input, { ...this.#sendDetails(options), waits });
    if (!handlers || !waits) return answer;
    const { signal, release } = linked(options.signal, this.#options.signal);
    try {
      const tell = (task: Task, message: MessageInput) => this.#tell(task, message, options);
      return await answered(answer, handlers, signal, tell, this.#newId);
    } finally {
      release();
    }
  }

  /** Sends the answer to a question. */
  async #tell(task: Task, message: MessageInput, options: SendOptions): Promise<Task | Message> {
    const settings = followingUp(declaring(options, handlersOf(this.#options, options)), task);
    const { tenant: _, ...input } = await sendInput(message, settings, '', this.#newId);
    const waits = !input.returnImmediately;
    return this.#calls.unary('sendMessage', input, { ...this.#sendDetails(settings), waits });
  }

  /** Sends; what happens, as it happens. Reconnects and goes on by itself. */
  sendMessageStream(content: Content, options: SendOptions = {}): TaskStream {
    return new TaskStream({
      open: async (signal) => {
        const handlers = handlersOf(this.#options, options);
        if (!handlers) return this.#sent(content, options, signal);
        const both = linked(options.signal, signal);
        try {
          const first = await this.#sent(content, declaring(options, handlers), both.signal);
          return this.#answering(first, handlers, options, both, false);
        } catch (error) {
          both.release();
          throw error;
        }
      },
      cancelTask: (id) => this.cancelTask(id, { tenant: options.tenant, headers: options.headers }),
    });
  }

  #sent(content: Content, options: SendOptions, signal: AbortSignal, known?: Task): Promise<ResumingStream> {
    return this.#opened(options, signal, async (both) => {
      const { tenant: _, ...input } = await sendInput(content, options, '', this.#messageIds(options));
      const details = { ...this.#sendDetails(options), signal: both.signal };
      const send = this.#streams
        ? () => this.#calls.stream('sendStreamingMessage', input, { ...details, idleTimeout: this.#idleTimeout })
        : async () => single(await this.#calls.unary('sendMessage', input, { ...details, waits: true }));
      return this.#resuming({ send, message: input.message, isPolled: !this.#streams }, options, both, { known });
    });
  }

  /** The same stream, with answers to what the agent asks in it. */
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
      follow: (task, message) => this.#sent(message, followingUp(settings, task), signal, task),
      tell: async (task, message) => void (await this.#tell(task, message, { ...settings, returnImmediately: true })),
      subscribe: async (known) => this.#resuming(SUBSCRIPTION, options, linked(signal), { taskId: known.id, known }),
      getTask: (id) => this.getTask(id, { timeout, headers, extensions, tenant, signal }),
      onEnd: release,
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
    const { metadata, reason, ...details } = options;
    try {
      return await this.#calls.unary('cancelTask', { id, metadata, reason }, { ...details, repeatable: true });
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
          const place = { taskId: id, lastEventId: lastEventId === undefined ? undefined : String(lastEventId) };
          const handlers = handlersOf(this.#options, options);
          if (!handlers) return this.#resuming(SUBSCRIPTION, details, both, place);
          const first = this.#resuming(SUBSCRIPTION, details, linked(both.signal), place);
          return this.#answering(first, handlers, details, both, true);
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

  /**
   * The agent as a tool of a language model. Name and description are the card's: asking for them fetches it, and
   * `await client.asTool()` waits for that.
   */
  asTool(options: ToolOptions = {}): PendingTool {
    return toolOf(this, options);
  }

  /** Each of the agent's skills as a tool. */
  async skillTools(options: ToolOptions = {}): Promise<AgentTool[]> {
    return skillToolsOf(this, await this.agentCard(), options);
  }

  /**
   * One of the agent's skills, with data in and data out. Typed where the agent's type is known:
   * `A2AClient.connect<typeof reporter>(url)`, or `{ agent: reporter }` among the options.
   *
   * @example
   * const report = await client.skill('report').call({ quarter: 'Q4' });
   */
  skill<Id extends keyof ShapesOfAgent<Agent> & string>(id: Id): SkillOf<ShapesOfAgent<Agent>[Id]> {
    const definition = this.#options.agent?.skills.find((skill) => skill.id === id);
    const connection = this.#connection;
    const caller = {
      get card() {
        return connection.card;
      },
      finished: async (content: Content, options: SendOptions) => {
        const { signal, release } = this.#calls.limited(options);
        try {
          return await this.#finished(content, { ...options, signal });
        } finally {
          release();
        }
      },
      stream: (content: Content, options: SendOptions) => this.sendMessageStream(content, options),
    };
    return skillClient(caller, id, definition) as SkillOf<ShapesOfAgent<Agent>[Id]>;
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
    return new A2AClient(url, settingsElsewhere(this.#options, this.#trusted.has(url)));
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
    place: Pick<ResumingOptions, 'taskId' | 'lastEventId' | 'known'> = {},
  ): ResumingStream {
    const { resumes, current } = this.#connection;
    const dialect = current?.dialect;
    const details: CallDetails = { ...pick(options), signal };
    const source: StreamSource = {
      ...begin,
      resumes,
      beginsWithTask: dialect?.version !== '0.3' && !dialect?.beginsWithHead,
      beginsWithHead: dialect?.beginsWithHead,
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
      ...place,
    });
  }

  /** Waits where an agent answered before it was done. */
  async #settled(answer: Task | Message, options: SendOptions): Promise<Task | Message> {
    if (!isTask(answer)) return answer;
    const { state } = answer.status;
    if (isTerminal(state) || isInterrupted(state) || state === 'unknown') return answer;
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

type SkillOf<Shape> = Shape extends SkillShape ? SkillClient<Shape['sent'], Shape['output']> : SkillClient;

const SUBSCRIPTION: Pick<StreamSource, 'send' | 'message'> = { send: undefined, message: undefined };

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
  const what = state === 'unknown' ? 'The agent cannot tell the state of the task' : `The task is ${state}`;
  const text = said ? `${what}: ${said}` : what;
  return new A2AError('TASK_NOT_COMPLETED', text, { task, metadata: { taskId: task.id, state } });
}
