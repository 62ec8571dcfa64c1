import { lazyGrpc } from '../bindings/grpc/calling/lazy.ts';
import { tracedFetch } from '../bindings/http/current-trace.ts';
import { jsonRpc } from '../bindings/jsonrpc/called.ts';
import { httpJson } from '../bindings/rest/learning.ts';
import type { TrustSettings } from '../cards/keys/trusted-keys.ts';
import { verifiedCards } from '../cards/verified-cards.ts';
import { CALLING_DIALECTS } from '../dialects/calling/calling-dialects.ts';
import { INFORMAL_DIALECTS } from '../dialects/calling/informal-calling.ts';
import { cardFaults } from '../dialects/cards/card-faults.ts';
import type { DialectDefinition } from '../dialects/definition.ts';
import { checkFileEncoding } from '../dialects/file-encoding.ts';
import type { JsonObject } from '../model/basics/json.ts';
import { requireNode } from '../model/basics/node-version.ts';
import type { AgentCard } from '../model/card.ts';
import type { ShapesOfAgent, SkilledAgent } from '../model/extensions/skills.ts';
import type { PushConfig, PushConfigPage } from '../model/operations.ts';
import { checkOptions } from '../model/options/checks.ts';
import type { Message, Task } from '../model/task.ts';
import { clientCredentials } from './auth/oauth.ts';
import type { Target } from './card/connection.ts';
import {
  CALL_OPTIONS,
  CANCEL_OPTIONS,
  checkSend,
  GET_TASK_OPTIONS,
  LIST_PUSH_CONFIGS_OPTIONS,
  SUBSCRIBE_OPTIONS,
  TASK_FILTER,
} from './checks/call-options.ts';
import { CLIENT_OPTIONS } from './checks/client-options.ts';
import {
  type CancelOptions,
  type GetTaskOptions,
  A2AClient as OfficialClient,
  type SkilledClientOptions,
  type SubscribeOptions,
} from './client.ts';
import { answering } from './input/answering-calls.ts';
import type { Content } from './message/content.ts';
import type { CallOptions, SendOptions } from './options.ts';
import { type SkillOf, skillOf } from './skill/skill-of.ts';
import { type AgentTool, asTool, type PendingTool, skillTools, type ToolOptions } from './skill/tool.ts';
import type { TaskStream } from './stream/task-stream.ts';
import type { TaskFilter, TaskList } from './tasks/task-list.ts';

export { PROTOCOL_NAMES } from '../dialects/calling/informal-calling.ts';

/** Handed in rather than left to the client, so that whatever wraps the bindings of a client wraps these too. */
const BINDINGS = [jsonRpc, httpJson, lazyGrpc];

/** The global one, as it is when it is called. */
const plainFetch: typeof fetch = (input, init) => fetch(input, init);

/** Their calling halves alone: clients need no more. */
const DIALECTS: readonly DialectDefinition[] = [
  ...INFORMAL_DIALECTS.map((calling) => ({ name: calling.name, calling })),
  ...CALLING_DIALECTS.map((calling) => ({ name: calling.version, calling })),
];

export interface ListPushConfigsOptions extends CallOptions {
  /** The most configs on one page. */
  readonly pageSize?: number | undefined;
  /** The token of the next page, from the page before. */
  readonly pageToken?: string | undefined;
}

export interface TrustingClientOptions<Agent extends SkilledAgent> extends Omit<SkilledClientOptions<Agent>, 'trust'> {
  /**
   * Trusted keys; one of them must have signed the card. The client refuses other cards (`UNTRUSTED_CARD`). Of a signed
   * card it reads only what the signature covers. Default: the client trusts every card.
   */
  readonly trust?: TrustSettings | undefined;
}

/**
 * Calls an agent, in whatever version or dialect and over whatever binding it speaks.
 *
 * @example
 * const agent = await A2AClient.connect('https://agent.example.com');
 * console.log(await agent.run('Analyze sales'));
 */
export class A2AClient<Agent extends SkilledAgent = SkilledAgent> extends OfficialClient<Agent> {
  /** Finds the card with the first call. `connect` does it at once. */
  constructor(target: Target, settings: TrustingClientOptions<Agent> = {}) {
    requireNode();
    checkOptions('A2AClient', settings, CLIENT_OPTIONS);
    const { trust, ...options } = settings;
    checkFileEncoding(options.fileEncoding);
    if (trust && isGivenCard(target)) {
      throw new TypeError('A card that is handed over can be verified by A2AClient.connect alone, which waits for it');
    }
    const complete = {
      ...options,
      fetch: tracedFetch(options.fetch ?? plainFetch),
      checkCard: options.checkCard ?? cardFaults,
      answering: options.answering ?? answering,
      oauth: options.oauth ?? clientCredentials(),
      dialects: [...(options.dialects ?? []), ...DIALECTS],
      bindings: [...(options.bindings ?? []), ...BINDINGS],
    };
    super(target, trust ? verifiedCards(trust, complete) : complete);
  }

  /** A client of the agent at an address, or of the agent that a card describes. */
  static override async connect<Agent extends SkilledAgent = SkilledAgent>(
    target: Target,
    options: TrustingClientOptions<Agent> = {},
  ): Promise<A2AClient<Agent>> {
    checkOptions('A2AClient', options, CLIENT_OPTIONS);
    const client =
      options.trust && isGivenCard(target)
        ? await clientOfTrusted<Agent>(target, options.trust, options)
        : new A2AClient<Agent>(target, options);
    await client.agentCard();
    return client;
  }

  override async agentCard(options: CallOptions = {}): Promise<AgentCard> {
    checkOptions('agentCard', options, CALL_OPTIONS);
    return super.agentCard(options);
  }

  override async run(content: Content, options: SendOptions = {}): Promise<string> {
    checkSend('run', options);
    return super.run(content, options);
  }

  override async complete(content: Content, options: SendOptions = {}): Promise<Task | Message> {
    checkSend('complete', options);
    return super.complete(content, options);
  }

  override async sendMessage(content: Content, options: SendOptions = {}): Promise<Task | Message> {
    checkSend('sendMessage', options);
    return super.sendMessage(content, options);
  }

  override sendMessageStream(content: Content, options: SendOptions = {}): TaskStream {
    checkSend('sendMessageStream', options);
    return super.sendMessageStream(content, options);
  }

  override async getTask(id: string, options: number | GetTaskOptions = {}): Promise<Task> {
    const details = typeof options === 'number' ? { historyLength: options } : options;
    checkOptions('getTask', details, GET_TASK_OPTIONS);
    return super.getTask(id, details);
  }

  override listTasks(filter: TaskFilter = {}, options: CallOptions = {}): TaskList {
    checkOptions('listTasks', filter, TASK_FILTER);
    checkOptions('listTasks', options, CALL_OPTIONS);
    return super.listTasks(filter, options);
  }

  override async cancelTask(id: string, options: CancelOptions = {}): Promise<Task> {
    checkOptions('cancelTask', options, CANCEL_OPTIONS);
    return super.cancelTask(id, options);
  }

  override subscribe(id: string, options: SubscribeOptions = {}): TaskStream {
    checkOptions('subscribe', options, SUBSCRIBE_OPTIONS);
    return super.subscribe(id, options);
  }

  override async extendedCard(options: CallOptions = {}): Promise<AgentCard> {
    checkOptions('extendedCard', options, CALL_OPTIONS);
    return super.extendedCard(options);
  }

  /** Registers a webhook for a task. */
  async createPushConfig(taskId: string, config: PushConfig, options: CallOptions = {}): Promise<PushConfig> {
    checkOptions('createPushConfig', options, CALL_OPTIONS);
    const repeatable = config.id !== undefined;
    return this.call('createPushConfig', { config: { ...config, taskId } }, { ...options, repeatable });
  }

  async getPushConfig(taskId: string, id: string, options: CallOptions = {}): Promise<PushConfig> {
    checkOptions('getPushConfig', options, CALL_OPTIONS);
    return this.call('getPushConfig', { taskId, id }, { ...options, repeatable: true });
  }

  async listPushConfigs(taskId: string, options: ListPushConfigsOptions = {}): Promise<PushConfigPage> {
    checkOptions('listPushConfigs', options, LIST_PUSH_CONFIGS_OPTIONS);
    const { pageSize, pageToken, ...details } = options;
    return this.call('listPushConfigs', { taskId, pageSize, pageToken }, { ...details, repeatable: true });
  }

  async deletePushConfig(taskId: string, id: string, options: CallOptions = {}): Promise<void> {
    checkOptions('deletePushConfig', options, CALL_OPTIONS);
    await this.call('deletePushConfig', { taskId, id }, { ...options, repeatable: true });
  }

  /**
   * The agent as a tool of a language model. Name and description are the card's: asking for them fetches it, and
   * `await client.asTool()` waits for that.
   */
  asTool(options: ToolOptions = {}): PendingTool {
    return asTool(this, options);
  }

  /** Each of the agent's skills as a tool, by the tool's name: `generateText({ tools: await client.skillTools() })`. */
  skillTools(options: ToolOptions = {}): Promise<Record<string, AgentTool>> {
    return skillTools(this, options);
  }

  /**
   * One of the agent's skills, with data in and data out. Typed where the agent's type is known:
   * `A2AClient.connect<typeof reporter>(url)`, or `{ agent: reporter }` among the options.
   *
   * @example
   * const report = await client.skill('report').call({ quarter: 'Q4' });
   */
  skill<Id extends keyof ShapesOfAgent<Agent> & string>(id: Id): SkillOf<ShapesOfAgent<Agent>[Id]> {
    return skillOf(this, id);
  }

  /** The same client, for an agent whose type is known: `client.as<typeof reporter>()`. */
  override as<Other extends SkilledAgent>(): A2AClient<Other> {
    return this as unknown as A2AClient<Other>;
  }

  /**
   * A client of another agent, with the same settings. What the user entrusted to this one (credentials, headers,
   * interceptors, tools) goes along only to the card's own origin and to `allowedOrigins`.
   */
  override at(url: string | URL): A2AClient {
    return new A2AClient(url, this.settingsFor(url));
  }
}

function isGivenCard(target: Target): target is Exclude<Target, string | URL> {
  return typeof target === 'object' && !(target instanceof URL);
}

/** The client of a card that was handed over, once it is verified. */
async function clientOfTrusted<Agent extends SkilledAgent>(
  card: Exclude<Target, string | URL>,
  trust: TrustSettings,
  options: TrustingClientOptions<Agent>,
): Promise<A2AClient<Agent>> {
  const { verifyCard, bindings } = verifiedCards(trust, {
    ...options,
    bindings: [...(options.bindings ?? []), ...BINDINGS],
  });
  const verified = (await verifyCard(card, options.signal)) as JsonObject;
  return new A2AClient<Agent>(verified, { ...options, trust: undefined, verifyCard, bindings });
}
