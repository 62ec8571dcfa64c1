import type { Agent } from '../../agent/agent.ts';
import type { MessageContent } from '../../agent/outcomes.ts';
import { toRunner } from '../../agent/run/execute.ts';
import { messageDraft } from '../../agent/run/outputs.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import { JsonRpcBinding } from '../../bindings/jsonrpc/server.ts';
import type { BindingOptions } from '../../bindings/options.ts';
import { RestBinding } from '../../bindings/rest/server.ts';
import type { CallContext } from '../../bindings/service.ts';
import { localBus } from '../../bus/local.ts';
import { checkV03Files } from '../../dialects/file-encoding.ts';
import { Engine } from '../../engine/engine.ts';
import { systemClock } from '../../engine/node/clock.ts';
import type { Logger } from '../../engine/ports.ts';
import { A2AError, quoted } from '../../model/errors.ts';
import type { Task } from '../../model/task.ts';
import { type IdSource, uuidv7Source } from '../../model/uuid.ts';
import { memory } from '../../stores/memory.ts';
import { challenged, Guard } from '../auth/simple-auth.ts';
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
import { baseUrlOf } from './base-url.ts';
import { callContext } from './call-context.ts';
import { type Cors, corsOf } from './cors.ts';
import { type ResolvedMount, resolveMounts } from './mounts.ts';
import { normalPath, withoutQuery } from './paths.ts';
import { httpError, plainText } from './responses.ts';
import { isCardRead, isReading, type OperationsRoute, type Route, routeOf } from './routes.ts';
import { isServingProcess } from './runtime.ts';

/** Only ever read. */
const NO_QUERY = new URLSearchParams();

/** A card as JSON. */
export type PublishedCard = Readonly<Record<string, unknown>>;

/** The way of a web request to a core, on behalf of somebody. */
export type AnswerRequest = (core: ServerCore, request: Request, subject: string) => Promise<Response>;

/** The server without any transport: an exchange in, an exchange out. Adapters bring the bytes. */
export class ServerCore {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly limits: ServerLimits;
  readonly log: Logger;
  readonly #options: A2AServerOptions;
  readonly #basePath: string;
  readonly #defaultAgent: string;
  readonly #engine: Engine;
  readonly #services: ReadonlyMap<string, AgentService>;
  readonly #mounts: readonly ResolvedMount[];
  readonly #cards: Cards;
  readonly #jsonRpc: JsonRpcBinding;
  readonly #rest: RestBinding;
  readonly #newId: IdSource;
  #name: string | undefined;
  readonly #hooks: Hooks;
  readonly #cors: Cors | undefined;
  readonly #now: () => number;
  readonly #guard: Guard | undefined;
  #opening: Promise<void> | undefined;
  #isOpen = false;
  /** Somebody waits for the opening and will hear of its failure. */
  #isAwaited = false;
  #isAsked = false;

  /** `answer` is the way of a web request to this core, which an adapter knows. */
  constructor(options: A2AServerOptions, answer?: AnswerRequest) {
    const answerLocally: AnswerLocally = (request, subject) => {
      if (!answer) throw new TypeError('This server has no way to call its own agents');
      return answer(this, request, subject);
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
    this.#cors = corsOf(options.cors);
    this.#guard = options.auth && new Guard(options.auth, this.log);
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
    this.#services = new Map([...this.agents].map(([name, agent]) => [name, this.#service(name, agent)]));
    this.#mounts = resolveMounts(options.mounts, this.#basePath, this.agents);
    this.#cards = new Cards({
      agents: this.agents,
      defaultAgent: this.#defaultAgent,
      basePath: this.#basePath,
      pathOf: (name) => this.#pathOf(name),
      mounts: this.#mounts,
      tenants: Array.isArray(options.tenants) ? options.tenants : [],
      keyLifetime: this.limits.keyLifetime,
      shape: options.card ?? 'merged',
      responses: new CardResponses(options.cardMaxAge ?? 300, new Date(clock.now())),
    });
    const binding: BindingOptions = {
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
    this.#jsonRpc = new JsonRpcBinding(binding);
    this.#rest = new RestBinding(binding);
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
    this.#isAwaited = true;
    return this.#whenOpen();
  }

  /**
   * Begins to open on behalf of an adapter, which nobody waits for. A failure is an unhandled rejection, which ends the
   * process, unless somebody called `open`. Where nothing may be done before the first request, that one opens.
   */
  start(): void {
    if (!isServingProcess()) return;
    void this.#whenOpen().catch((error: unknown) => {
      if (!this.#isAwaited) throw error;
    });
  }

  /** One opening for all who ask. After a failure the next one who asks tries again. */
  #whenOpen(): Promise<void> {
    this.#opening ??= this.#engine.open().then(
      () => {
        this.#isOpen = true;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    if (this.#isOpen) await this.#engine.close();
  }

  /** See A2AServer. */
  async purgeTasks(options: PurgeTasksOptions): Promise<number> {
    const query = purgeQueryOf(options);
    await this.#whenOpen();
    return this.#engine.purge(query);
  }

  /** See A2AServer. */
  async cancelTask(taskId: string, why?: MessageContent): Promise<Task> {
    await this.#whenOpen();
    return this.#engine.cancelAny(taskId, why === undefined ? undefined : messageDraft(why));
  }

  /** The card of an agent, or of the default one, as it is published. */
  publishedCard(agentName: string | undefined, base: string): PublishedCard {
    const card = this.#cards.published(agentName, base.replace(/\/+$/, ''));
    if (card === undefined) throw new A2AError('NOT_FOUND', this.#noSuchAgent(agentName ?? ''));
    return card as PublishedCard;
  }

  /** What is held in memory. */
  get load(): Engine['load'] {
    return this.#engine.load;
  }

  /** Whether a framework hands a request on to this server; all others are its own. `url`: below the prefix. */
  serves(url: string, prefix = ''): boolean {
    const path = withoutQuery(url);
    const route = routeOf(path, this.#basePath, this.#mounts);
    return route ? isHandedOn(route, { path, prefix, isOperation: (below) => this.#rest.knows(below) }) : false;
  }

  /** Where frameworks route to this server, below the prefix. */
  addresses(prefix = ''): readonly Address[] {
    const mounts = this.#mounts.map(({ path }) => path);
    return addressesOf([this.#basePath, ...mounts], prefix);
  }

  handle(request: ExchangeRequest): Promise<ExchangeResponse> {
    return this.#cors ? this.#cors.around(request, () => this.#answer(request)) : this.#answer(request);
  }

  async #answer(request: ExchangeRequest): Promise<ExchangeResponse> {
    this.#isAsked = true;
    try {
      // A bearer token is what callers are known by where nothing else is configured.
      return challenged(await this.#admit(request), this.#guard?.challenge ?? 'Bearer');
    } catch (error) {
      this.log.error('A request failed', { error });
      return httpError('INTERNAL', 'Internal error');
    }
  }

  /** Answers who may ask, once there is a store to ask. */
  async #admit(request: ExchangeRequest): Promise<ExchangeResponse> {
    const path = withoutQuery(request.url);
    // Agents of this server call each other in an official version, whatever is spoken at their addresses.
    const route = routeOf(path, this.#basePath, request.isBetweenAgents ? [] : this.#mounts);
    const query = path === request.url ? NO_QUERY : new URLSearchParams(request.url.slice(path.length + 1));
    const refusal = this.#guard && (await this.#guard.refusal(request, route));
    if (refusal) {
      const { error, challenge } = refusal;
      const response = this.#refused(request, query, route, error);
      return challenge === undefined ? response : challenged(response, challenge);
    }
    if (!this.#isOpen && needsStore(request, route)) {
      try {
        await this.#whenOpen();
      } catch (error) {
        this.log.error('A request was refused, because the server could not be opened', { error });
        return this.#refused(request, query, route, new A2AError('UNAVAILABLE', 'The server is not ready'));
      }
    }
    if (!route)
      return httpError('NOT_FOUND', `Nothing is served at ${quoted(path)}. Operations are at ${this.#basePath}`);
    if (route.kind === 'operations') return this.#operate(request, query, route);
    if (!isReading(request)) return methodNotAllowed(request.method, 'GET, HEAD');
    return this.#read(request, query, route);
  }

  /** A refusal in the words of the binding and the dialect that were asked, as far as they can be told. */
  #refused(request: ExchangeRequest, query: URLSearchParams, route: Route | undefined, error: A2AError) {
    if (route?.kind !== 'operations') return httpError(error.code, error.message);
    const { path, place, mount } = route;
    if (path !== '') return this.#rest.refuse({ request, query, path, mount: place, pinned: mount?.dialect }, error);
    if (request.method !== 'POST') return httpError(error.code, error.message);
    return this.#jsonRpc.refuse({ request, query, pinned: mount?.dialect }, error);
  }

  #operate(
    request: ExchangeRequest,
    query: URLSearchParams,
    route: OperationsRoute,
  ): ExchangeResponse | Promise<ExchangeResponse> {
    const { agent, path, place, mount } = route;
    const name = agent ?? this.#defaultAgent;
    if (isCardRead(request, route))
      return this.#read(request, query, { kind: 'card', agent: name, form: 'jaf', mount });
    if (path === '' && request.method !== 'POST') {
      return methodNotAllowed(request.method, agent === undefined ? 'POST' : 'GET, HEAD, POST');
    }
    const service = this.#services.get(name);
    if (!service && path !== '') return this.#unknownAgent(name);
    if (!service) {
      const error = new A2AError('NOT_FOUND', this.#noSuchAgent(name), { metadata: { agentName: name } });
      return this.#refused(request, query, route, error);
    }
    const pinned = mount?.dialect;
    const call = callContext(request, this.#options);
    if (path !== '') return this.#rest.handle({ request, query, path, mount: place, service, call, pinned });
    return this.#jsonRpc.handle({ request, query, service, call, pinned });
  }

  #read(request: ExchangeRequest, query: URLSearchParams, route: Exclude<Route, OperationsRoute>): ExchangeResponse {
    const base = baseUrlOf(request, this.#options);
    switch (route.kind) {
      case 'card':
        return this.#cards.respond(request, query, route, base) ?? this.#unknownAgent(route.agent ?? '');
      case 'agents':
        return this.#cards.agents(request, base);
      case 'health':
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"status":"ok"}' };
      case 'welcome':
        return plainText(200, this.#welcome(base));
    }
  }

  #unknownAgent(name: string): ExchangeResponse {
    return httpError('NOT_FOUND', this.#noSuchAgent(name));
  }

  #noSuchAgent(name: string): string {
    return `There is no agent "${quoted(name)}" here. There is: ${[...this.agents.keys()].join(', ')}`;
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
    const anonymousLists = (call: CallContext) =>
      anonymous === undefined ? call.isLocal?.() === true : anonymous === 'shared';
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

  #welcome(base: string): string {
    const lines = [...this.agents].map(([name, agent]) => {
      const path = name === this.#defaultAgent ? '' : `/agents/${name}`;
      return `${name}: ${agent.description}\n  JSON-RPC  ${base}${this.#basePath}${path}\n`;
    });
    return `This is a Parley A2A server.\n\n${lines.join('\n')}\nCard      ${base}/.well-known/agent-card.json\n`;
  }
}

/** Cards, the list of agents and the sign of life are there without a store. */
function needsStore(request: ExchangeRequest, route: Route | undefined): boolean {
  if (route?.kind === 'health') return route.isReadiness;
  return route?.kind === 'operations' && !isCardRead(request, route);
}

function methodNotAllowed(method: string, allow: string): ExchangeResponse {
  const response = httpError('METHOD_NOT_ALLOWED', `${quoted(method)} is not allowed here; use ${allow}`);
  return { ...response, headers: { ...response.headers, allow } };
}
