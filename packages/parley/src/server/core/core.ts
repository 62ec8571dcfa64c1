import type { Agent } from '../../agent/agent.ts';
import type { MessageContent } from '../../agent/outcomes.ts';
import { credentialDraft } from '../../agent/questions/task-auth.ts';
import { messageDraft } from '../../agent/run/outputs.ts';
import type { ServerBinding } from '../../bindings/binding.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import type { DialectRegistry } from '../../dialects/registry.ts';
import type { ForkedContext } from '../../engine/copy/fork-context.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { ANONYMOUS, type Caller } from '../../model/call.ts';
import { requireRight } from '../../model/options/checks.ts';
import type { Task } from '../../model/task.ts';
import type { ServerHooks } from '../follow/hooks.ts';
import type { HeldBodies } from '../http/held/held-bodies.ts';
import type { HeldResponses } from '../http/held/held-responses.ts';
import { noSuchAgent } from '../http/route-handlers.ts';
import { extensionCheck } from '../intercept/extension-check.ts';
import { boundMember, type ServerInterceptor } from '../intercept/interceptors.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { ServerLimits } from '../limits/limits.ts';
import type { ContextName } from '../operator/context-name.ts';
import type { ForkContextOptions, RerunTaskOptions } from '../operator/copy-options.ts';
import { type PurgeTasksOptions, purgeQueryOf } from '../operator/purge-options.ts';
import type { A2AServerOptions } from '../options.ts';
import { type Address, addressesOf, isHandedOn } from '../routing/addresses.ts';
import { withoutQuery } from '../routing/paths.ts';
import { type Assembly, assemble } from './assembly.ts';
import { type Exposure, requireSafe } from './exposure.ts';

/** A card as JSON. */
export type PublishedCard = Readonly<Record<string, unknown>>;

/** The way of a web request to a core, on behalf of a caller that needs no proof. */
export type RespondLocally = (core: ServerCore, request: Request, caller: Caller) => Promise<Response>;

/** The parts that a core gets beside the options of users. */
interface CoreSurroundings {
  /** The way of a web request to this core, which an adapter knows. */
  readonly respond?: RespondLocally | undefined;
  /** Limits of requests, in the order in which they are asked. Default: none. */
  readonly limiters?: readonly Limiter[] | undefined;
}

/** The server without any transport: an exchange in, an exchange out. Adapters bring the bytes. */
export class ServerCore {
  readonly #parts: Assembly;
  #isAsked = false;

  constructor(options: A2AServerOptions, { respond, limiters = [] }: CoreSurroundings = {}) {
    const respondLocally = (request: Request, caller: Caller) => {
      if (!respond) throw new TypeError('This server has no way to call its own agents');
      return respond(this, request, caller);
    };
    this.#parts = assemble(options, { respondLocally, limiters });
    const { interceptors = [] } = options;
    for (const one of interceptors) this.use(one);
  }

  get agents(): ReadonlyMap<string, Agent> {
    return this.#parts.agents;
  }

  get limits(): ServerLimits {
    return this.#parts.limits;
  }

  /** See HeldBodies; adapters read bodies by it. */
  get bodies(): HeldBodies {
    return this.#parts.bodies;
  }

  get responses(): Pick<HeldResponses, 'size'> {
    return this.#parts.responses;
  }

  get clock(): Clock {
    return this.#parts.clock;
  }

  get log(): Logger {
    return this.#parts.log;
  }

  get dialects(): DialectRegistry {
    return this.#parts.dialects;
  }

  get basePath(): string {
    return this.#parts.basePath;
  }

  /** Serves a binding that has a port of its own. `port`: for the cards; undefined where it is closed. */
  carryGrpc(binding: ServerBinding<ExchangeResponse> | undefined, port: number | undefined): void {
    if (binding) this.#parts.bindings.carry(binding);
    this.#parts.grpcAddress.opened(port);
  }

  /** See A2AServer. */
  use(extension: ServerHooks & ServerInterceptor): void {
    requireRight('server.use', extensionCheck(extension, ''));
    if (extension.transform && this.#isAsked) {
      throw new TypeError('A transform must be there before the first request: what was sent could not be sent again');
    }
    const { interceptors, events } = this.#parts;
    const onEvent = boundMember(extension, 'onEvent');
    interceptors.add(extension);
    if (onEvent) events.add(onEvent);
  }

  /** Certificates of clients tell who calls. */
  get usesCertificates(): boolean {
    const { authenticators = [] } = this.#parts.authentication ?? {};
    return authenticators.some(({ scheme }) => scheme.type === 'mutualTLS');
  }

  /** Throws if listening there would let in strangers by accident. */
  requireSafe(exposure: Exposure): void {
    const { authentication, open, signsForAnyName, hasConsole, outbound } = this.#parts;
    const { usesCertificates } = this;
    const hasAuth = authentication !== undefined;
    requireSafe(exposure, { hasAuth, open, usesCertificates, signsForAnyName, hasConsole });
    outbound.listensOn(exposure.host);
  }

  /** See A2AServer. */
  open(): Promise<void> {
    return this.#parts.opening.open();
  }

  /** See Opening. */
  start(): void {
    this.#parts.opening.start();
  }

  /** Takes no new work on and lets runs finish; all else goes on until `close`. */
  drain(): Promise<void> {
    this.#parts.draining.begin();
    return this.#parts.opening.drain();
  }

  async close(): Promise<void> {
    const { opening, draining } = this.#parts;
    draining.begin();
    try {
      await opening.close();
    } finally {
      draining.end();
    }
  }

  /** See A2AServer. */
  async purgeTasks(options: PurgeTasksOptions): Promise<number> {
    const query = purgeQueryOf(options);
    const { opening, engine } = this.#parts;
    await opening.whenOpen();
    return engine.purge(query);
  }

  /** See A2AServer. */
  async cancelTask(taskId: string, why?: MessageContent): Promise<Task> {
    const { opening, engine } = this.#parts;
    await opening.whenOpen();
    return engine.cancelAny(taskId, why === undefined ? undefined : messageDraft(why));
  }

  /** See A2AServer. */
  async shareContext({ tenant = '', owner, id }: ContextName, subjects: readonly string[]): Promise<void> {
    const { opening, engine } = this.#parts;
    await opening.whenOpen();
    await engine.shareContext({ tenant, subject: owner }, id, subjects);
  }

  /** See A2AServer. */
  async rerun(taskId: string, { message, fromStep }: RerunTaskOptions): Promise<Task> {
    const { opening, engine, draining } = this.#parts;
    await opening.whenOpen();
    draining.admit('sendMessage', ANONYMOUS);
    return engine.operators.rerun(taskId, {
      message: message === undefined ? undefined : messageDraft(message),
      fromStep,
    });
  }

  /** See A2AServer. */
  async forkContext({ tenant = '', owner, id }: ContextName, { upTo }: ForkContextOptions): Promise<ForkedContext> {
    const { opening, engine } = this.#parts;
    await opening.whenOpen();
    return engine.operators.fork({ tenant, subject: owner }, id, upTo);
  }

  /** See A2AServer. */
  async authorizeTask(taskId: string, credential: MessageContent | JsonObject): Promise<Task> {
    const { opening, engine } = this.#parts;
    await opening.whenOpen();
    return engine.operators.authorize(taskId, credentialDraft(credential));
  }

  /** The card of an agent, or of the default one, as it is published. */
  publishedCard(agentName: string | undefined, base: string): PublishedCard {
    const card = this.#parts.cards.published(agentName, base.replace(/(?<!\/)\/+$/, ''));
    if (card === undefined) throw noSuchAgent(agentName ?? '', this.agents);
    return card as PublishedCard;
  }

  /** See A2AServer. */
  get metricsUrl(): string | undefined {
    return this.#parts.telemetry.metricsUrl;
  }

  get hasConsole(): boolean {
    return this.#parts.hasConsole;
  }

  /** Counts of what is held in memory. */
  get load(): Engine['load'] {
    return this.#parts.engine.load;
  }

  /** Returns true if a framework hands a request on to this server; all others are its own. `url`: below the prefix. */
  serves(url: string, prefix = ''): boolean {
    const path = withoutQuery(url);
    const { router, bindings } = this.#parts;
    const route = router.routeOf(path);
    return route ? isHandedOn(route, { path, prefix, isOperation: (below) => bindings.isOperation(below) }) : false;
  }

  /** The addresses that frameworks route to this server, below the prefix. */
  addresses(prefix = ''): readonly Address[] {
    const { basePath, mounts, router } = this.#parts;
    const trees = [basePath, ...mounts.map(({ path }) => path), ...router.resourceTrees, ...router.consoleTrees];
    const { cardPaths, wellKnownPaths, servesMetrics } = router;
    return addressesOf({ trees, cards: [...cardPaths, ...wellKnownPaths], servesMetrics }, prefix);
  }

  handle(request: ExchangeRequest): Promise<ExchangeResponse> {
    this.#isAsked = true;
    return this.#parts.pipeline.handle(request);
  }
}
