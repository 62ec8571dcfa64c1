import type { Agent } from '../../agent/agent.ts';
import type { MessageContent } from '../../agent/outcomes.ts';
import { toRunner } from '../../agent/run/execute.ts';
import { messageDraft } from '../../agent/run/outputs.ts';
import { BindingTable } from '../../bindings/binding-table.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import type { BindingOptions } from '../../bindings/options.ts';
import { localBus } from '../../bus/local.ts';
import { checkV03Files } from '../../dialects/file-encoding.ts';
import { BUILT_IN_DIALECTS, DialectRegistry } from '../../dialects/registry.ts';
import { Engine } from '../../engine/engine.ts';
import { systemClock } from '../../engine/node/clock.ts';
import type { Logger } from '../../engine/ports.ts';
import { type Call, type Caller, isAgentCaller } from '../../model/call.ts';
import type { Task } from '../../model/task.ts';
import { type IdSource, uuidv7Source } from '../../model/uuid.ts';
import { memory } from '../../stores/memory.ts';
import { AnonymousCaller } from '../auth/anonymous-caller.ts';
import { Guard } from '../auth/simple-auth.ts';
import { type AnswerLocally, localClient } from '../calls/local-client.ts';
import { SubAgents } from '../calls/sub-agents.ts';
import { CardResponses } from '../cards/card-responses.ts';
import { Cards } from '../cards/cards.ts';
import { Hooks, type ServerHooks } from '../follow/hooks.ts';
import { resolveLimits, type ServerLimits } from '../limits/limits.ts';
import { AgentService } from '../operations/service.ts';
import { tenantCheck } from '../operations/tenants.ts';
import { type PurgeTasksOptions, purgeQueryOf } from '../operator/purge-options.ts';
import { type A2AServerOptions, consoleLog, namedAgents } from '../options.ts';
import { type Address, addressesOf, isHandedOn } from './addresses.ts';
import { corsOf } from './cors.ts';
import { type ResolvedMount, resolveMounts } from './mounts.ts';
import { Opening } from './opening.ts';
import { normalPath, withoutQuery } from './paths.ts';
import { Pipeline } from './pipeline.ts';
import { type Asked, noSuchAgent, RouteHandlers } from './route-handlers.ts';
import { Router } from './router.ts';

/** Only ever read. */
const NO_QUERY = new URLSearchParams();

/** A card as JSON. */
export type PublishedCard = Readonly<Record<string, unknown>>;

/** The way of a web request to a core, on behalf of a caller that needs no proof. */
export type AnswerRequest = (core: ServerCore, request: Request, caller: Caller) => Promise<Response>;

/** The server without any transport: an exchange in, an exchange out. Adapters bring the bytes. */
export class ServerCore {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly limits: ServerLimits;
  readonly log: Logger;
  readonly #options: A2AServerOptions;
  readonly #basePath: string;
  readonly #defaultAgent: string;
  readonly #engine: Engine;
  readonly #mounts: readonly ResolvedMount[];
  readonly #router: Router;
  readonly #cards: Cards;
  readonly #bindings: BindingTable;
  readonly #newId: IdSource;
  #name: string | undefined;
  readonly #hooks: Hooks;
  readonly #now: () => number;
  readonly #opening: Opening;
  readonly #pipeline: Pipeline;
  #isAsked = false;

  /** `answer` is the way of a web request to this core, which an adapter knows. */
  constructor(options: A2AServerOptions, answer?: AnswerRequest) {
    const answerLocally: AnswerLocally = (request, caller) => {
      if (!answer) throw new TypeError('This server has no way to call its own agents');
      return answer(this, request, caller);
    };
    const clock = options.clock ?? systemClock;
    this.#options = options;
    this.#newId = options.newId ?? uuidv7Source();
    this.#now = () => clock.now();
    this.agents = namedAgents(options.agents);
    this.limits = resolveLimits(options.limits);
    this.log = options.log ?? consoleLog;
    this.#hooks = new Hooks(this.log);
    checkV03Files(options.v03Files);
    this.#basePath = normalPath(options.basePath ?? '/a2a');
    this.#defaultAgent = this.#chooseDefault(options.default);
    const subAgents = new SubAgents({
      agents: this.agents,
      hopOf: (name) => this.#hopOf(name),
      localClient: (agent, name, owner) => localClient(agent, this.#pathOf(name), owner, answerLocally),
      urlOf: (name) => (options.url ? `${options.url.replace(/\/+$/, '')}${this.#pathOf(name)}` : undefined),
      now: () => clock.now(),
    });
    this.#engine = new Engine({
      store: options.store ?? memory(),
      bus: options.bus ?? localBus(),
      runners: [...this.agents].map(([name, agent]) =>
        toRunner(name, agent, subAgents.of(name), this.limits.bufferedOutputs),
      ),
      log: this.log,
      limits: this.limits,
      statusMessage: options.statusMessage,
      clock,
      newId: options.newId,
      onCommit: this.#hooks.committed,
    });
    this.#opening = new Opening(this.#engine);
    const dialects = options.dialects ? new DialectRegistry(options.dialects) : BUILT_IN_DIALECTS;
    this.#mounts = resolveMounts(options.mounts, { basePath: this.#basePath, agents: this.agents, dialects });
    this.#router = new Router({ basePath: this.#basePath, mounts: this.#mounts, dialects });
    const told: BindingOptions = {
      dialects,
      lenient: options.lenient ?? true,
      batch: options.batch ?? false,
      errorTable: options.errorTable ?? '1.0.1',
      v03Files: options.v03Files,
      depth: this.limits.depth,
      agents: [...this.agents.keys()],
      keepAlive: this.limits.keepAlive,
      streamTimeout: this.limits.streamTimeout,
      now: () => clock.now(),
      after: (milliseconds, callback) => clock.after(milliseconds, callback),
      onInternalError: (error) => this.log.error('A request failed', { error: error.cause ?? error }),
    };
    this.#bindings = new BindingTable(told, options.bindings);
    this.#cards = new Cards({
      agents: this.agents,
      defaultAgent: this.#defaultAgent,
      basePath: this.#basePath,
      pathOf: (name) => this.#pathOf(name),
      mounts: this.#mounts,
      dialects,
      bindings: this.#bindings.all,
      tenants: Array.isArray(options.tenants) ? options.tenants : [],
      keyLifetime: this.limits.keyLifetime,
      shape: options.card ?? 'merged',
      responses: new CardResponses(options.cardMaxAge ?? 300, new Date(clock.now())),
    });
    const handlers = new RouteHandlers({
      settings: options,
      agents: this.agents,
      defaultAgent: this.#defaultAgent,
      basePath: this.#basePath,
      services: new Map([...this.agents].map(([name, agent]) => [name, this.#service(name, agent)])),
      cards: this.#cards,
      bindings: this.#bindings,
    });
    this.#pipeline = new Pipeline({
      cors: corsOf(options.cors),
      route: (request) => this.#route(request),
      guard: options.auth && new Guard(options.auth, this.log),
      opening: this.#opening,
      handlers,
      log: this.log,
    });
  }

  /** See A2AServer. */
  use(hooks: ServerHooks): void {
    if (hooks.transform && this.#isAsked) {
      throw new TypeError('A transform must be there before the first request: what was sent could not be sent again');
    }
    this.#hooks.add(hooks);
  }

  /** See A2AServer. */
  open(): Promise<void> {
    return this.#opening.open();
  }

  /** See Opening. */
  start(): void {
    this.#opening.start();
  }

  close(): Promise<void> {
    return this.#opening.close();
  }

  /** See A2AServer. */
  async purgeTasks(options: PurgeTasksOptions): Promise<number> {
    const query = purgeQueryOf(options);
    await this.#opening.whenOpen();
    return this.#engine.purge(query);
  }

  /** See A2AServer. */
  async cancelTask(taskId: string, why?: MessageContent): Promise<Task> {
    await this.#opening.whenOpen();
    return this.#engine.cancelAny(taskId, why === undefined ? undefined : messageDraft(why));
  }

  /** The card of an agent, or of the default one, as it is published. */
  publishedCard(agentName: string | undefined, base: string): PublishedCard {
    const card = this.#cards.published(agentName, base.replace(/\/+$/, ''));
    if (card === undefined) throw noSuchAgent(agentName ?? '', this.agents);
    return card as PublishedCard;
  }

  /** What is held in memory. */
  get load(): Engine['load'] {
    return this.#engine.load;
  }

  /** Whether a framework hands a request on to this server; all others are its own. `url`: below the prefix. */
  serves(url: string, prefix = ''): boolean {
    const path = withoutQuery(url);
    const route = this.#router.routeOf(path);
    return route
      ? isHandedOn(route, { path, prefix, isOperation: (below) => this.#bindings.isOperation(below) })
      : false;
  }

  /** Where frameworks route to this server, below the prefix. */
  addresses(prefix = ''): readonly Address[] {
    const trees = [this.#basePath, ...this.#mounts.map(({ path }) => path)];
    return addressesOf({ trees, cards: this.#router.cardPaths }, prefix);
  }

  handle(request: ExchangeRequest): Promise<ExchangeResponse> {
    this.#isAsked = true;
    return this.#pipeline.handle(request);
  }

  #route(request: ExchangeRequest): Asked {
    const path = withoutQuery(request.url);
    // Agents of this server call each other in an official version, whatever is spoken at their addresses.
    const isBetweenAgents = request.caller !== undefined && isAgentCaller(request.caller);
    const route = this.#router.routeOf(path, isBetweenAgents);
    const query = path === request.url ? NO_QUERY : new URLSearchParams(request.url.slice(path.length + 1));
    const caller = request.caller ?? new AnonymousCaller(request, this.#options);
    return { request, path, query, route, caller };
  }

  /** Chosen when it is needed: Workers have no randomness before the first request. */
  get #id(): string {
    this.#name ??= this.#newId();
    return this.#name;
  }

  /** Names one of this server's agents among all that there are. */
  #hopOf(name: string): string {
    return `${this.#id}/${name}`;
  }

  /** The address of an agent's operations, below the base. */
  #pathOf(name: string): string {
    return `${this.#basePath}/agents/${encodeURIComponent(name)}`;
  }

  #service(name: string, agent: Agent): AgentService {
    const { tenants, anonymous } = this.#options;
    const isTenant = tenantCheck(tenants);
    const anonymousLists = ({ caller }: Call) =>
      anonymous === undefined ? caller.isLocal === true : anonymous === 'shared';
    const { parts: mostParts } = this.limits;
    const chainRules = { hop: () => this.#hopOf(name), mostHops: this.limits.hops, now: this.#now };
    const shown = () => this.#hooks.transformOf(name);
    const rules = { mostParts, isTenant, anonymousLists, chainRules };
    return new AgentService({ name, agent, engine: this.#engine, ...rules, shown });
  }

  #chooseDefault(name: string | undefined): string {
    const chosen = name ?? [...this.agents.keys()][0];
    if (chosen !== undefined && this.agents.has(chosen)) return chosen;
    throw new TypeError(`The default agent "${chosen}" is not one of: ${[...this.agents.keys()].join(', ')}`);
  }
}
