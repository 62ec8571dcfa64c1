import type { Agent } from '../../agent/agent.ts';
import { BindingTable } from '../../bindings/binding-table.ts';
import type { Service } from '../../bindings/service.ts';
import { checkFileEncoding } from '../../dialects/file-encoding.ts';
import { BUILT_IN_DIALECTS, DialectRegistry } from '../../dialects/registry.ts';
import type { Engine } from '../../engine/engine.ts';
import { systemClock } from '../../engine/node/clock.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import { uuidv7Source } from '../../model/basics/uuid.ts';
import { memory } from '../../stores/memory.ts';
import type { Authentication } from '../auth/combine.ts';
import { type LocalResponder, localClient } from '../calls/local-client.ts';
import { SubAgents } from '../calls/sub-agents.ts';
import { resolveCardSetting } from '../cards/card-setting.ts';
import { CardSigner } from '../cards/card-signer.ts';
import type { Cards } from '../cards/cards.ts';
import { ConsolePage } from '../console/console-page.ts';
import { readConsole } from '../console/settings.ts';
import { EventFollower } from '../follow/event-follower.ts';
import { askedOf } from '../http/asked.ts';
import { corsOf } from '../http/cors.ts';
import { Door } from '../http/door/door.ts';
import { HeldAnswers } from '../http/held/held-answers.ts';
import { HeldBodies } from '../http/held/held-bodies.ts';
import { Pipeline } from '../http/pipeline.ts';
import { Readiness } from '../http/readiness.ts';
import { RouteHandlers } from '../http/route-handlers.ts';
import { Interceptors } from '../intercept/interceptors.ts';
import { InterceptedService } from '../intercept/service.ts';
import type { Limiter } from '../limits/limiter.ts';
import { resolveLimits, type ServerLimits } from '../limits/limits.ts';
import { trafficOf } from '../limits/mounted-traffic.ts';
import { openedRates } from '../limits/rates/shared-rates.ts';
import { limitsOfRetention } from '../limits/retention.ts';
import { Tenants } from '../operations/tenants.ts';
import { consoleLog } from '../operator/console-log.ts';
import { InternalErrors } from '../operator/internal-errors.ts';
import { PushRoutes } from '../operator/push-routes.ts';
import { quietLog } from '../operator/quiet-log.ts';
import { type A2AServerOptions, namedAgents } from '../options.ts';
import { linkFetcher } from '../outbound/link-fetcher.ts';
import { ServerOutbound } from '../outbound/server-outbound.ts';
import { pushOf } from '../push/push.ts';
import { type ResolvedMount, resolveMounts } from '../routing/mounts.ts';
import { belowPrefix, normalPath } from '../routing/paths.ts';
import { OFFICIAL_CARD, Router } from '../routing/router.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { PublishedKeys } from '../well-known/published-keys.ts';
import { agentServices } from './agent-services.ts';
import { bindingOptions } from './binding-options.ts';
import { Draining } from './draining.ts';
import { GrpcAddress } from './grpc-address.ts';
import { checkGrpcOptions } from './grpc-options.ts';
import { Opening } from './opening.ts';
import { cardParts } from './parts/card-parts.ts';
import { engineOf } from './parts/engine-parts.ts';
import { operatorRoutesOf } from './parts/operator-parts.ts';
import { telemetryOf } from './parts/telemetry-parts.ts';
import { securityOf } from './security.ts';

/** What a core needs beside the options that users set. */
export interface Surroundings {
  /** Responds to a call of one of the server's agents to another. */
  readonly respondLocally: LocalResponder;
  /** The limits of the pipeline, in the order in which they are asked. */
  readonly limiters: readonly Limiter[];
}

/** The parts of a server, tied together. */
export interface Assembly {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly limits: ServerLimits;
  readonly bodies: HeldBodies;
  readonly answers: HeldAnswers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly engine: Engine;
  readonly opening: Opening;
  readonly draining: Draining;
  readonly interceptors: Interceptors;
  /** Tells of committed events. */
  readonly events: EventFollower;
  readonly cards: Cards;
  readonly dialects: DialectRegistry;
  readonly bindings: BindingTable;
  readonly router: Router;
  readonly pipeline: Pipeline;
  readonly basePath: string;
  readonly mounts: readonly ResolvedMount[];
  readonly outbound: ServerOutbound;
  readonly telemetry: Telemetry;
  readonly grpcAddress: GrpcAddress;
  /** Undefined where everybody may call. */
  readonly authentication: Authentication | undefined;
  /** Everybody may call on purpose. */
  readonly open: boolean;
  /** See ExposedServer. */
  readonly signsForAnyName: boolean;
  readonly hasConsole: boolean;
}

/** Makes the parts of a server from its options, and ties them together. */
export function assemble(options: A2AServerOptions, { respondLocally, limiters }: Surroundings): Assembly {
  const clock = options.clock ?? systemClock;
  const agents = namedAgents(options.agents);
  const limits = resolveLimits({ ...options.limits, ...limitsOfRetention(options.retention, options.limits) });
  const log = options.log ? quietLog(options.log) : consoleLog;
  checkFileEncoding(options.fileEncoding);
  checkGrpcOptions(options.grpc);
  const grpcAddress = new GrpcAddress(options.grpc?.address);
  const interceptors = new Interceptors();
  const basePath = normalPath(options.basePath ?? '/a2a');
  const defaultAgent = chooseDefault(options.default, agents);
  const pathOf = (name: string) => `${basePath}/agents/${encodeURIComponent(name)}`;
  const newId = options.newId ?? uuidv7Source();
  const hopOf = hopSource(newId);
  const failures = new InternalErrors(log, newId);
  const console = readConsole(options.console);
  const subAgents = new SubAgents({
    agents,
    hopOf,
    localClient: (agent, name, owner) => localClient(agent, pathOf(name), owner, respondLocally),
    urlOf: (name) => (options.url ? `${options.url.replace(/(?<!\/)\/+$/, '')}${pathOf(name)}` : undefined),
    now: () => clock.now(),
    interceptors,
  });
  const outbound = new ServerOutbound(options);
  const keptIn = options.store ?? memory();
  const engine = engineOf(options, {
    store: keptIn,
    agents,
    subAgents,
    fetchLink: linkFetcher(outbound.guard),
    interceptors,
    limits,
    clock,
    log,
  });
  const { store } = engine.membership;
  const events = new EventFollower({ log, clock, followCommits: (follower) => engine.followCommits(follower) });
  const security = securityOf(options, {
    agents,
    defaultAgent,
    basePath,
    pathOf,
    log,
    clock,
    store,
    whenStoreOpen: () => (opening.isOpen ? undefined : opening.whenOpen()),
  });
  const cardSetting = resolveCardSetting(options.card);
  const signer = cardSetting.keys.length > 0 ? new CardSigner(cardSetting.keys) : undefined;
  const publishedKeys = new PublishedKeys(options.cardMaxAge ?? 300);
  if (signer) publishedKeys.add(() => signer.publicKeys());
  const dialects = options.dialects ? new DialectRegistry(options.dialects) : BUILT_IN_DIALECTS;
  const push = pushOf(options, {
    engine,
    clock,
    log,
    limits,
    dialects,
    interceptors,
    newId,
    outbound: outbound.guard,
    cardPathOf: (name) => `${name === defaultAgent ? '' : pathOf(name)}${OFFICIAL_CARD}`,
  });
  const draining = new Draining(() => engine.drainLeft);
  const telemetry = telemetryOf(options, {
    agents,
    store,
    clock,
    log,
    newId,
    dialects,
    interceptors,
    events,
    engine,
    push,
  });
  const check = signer && (() => signer.open());
  const opening = new Opening(engine, { check, telemetry, first: security.opened, last: push });
  if (push) publishedKeys.add(() => opening.whenOpen().then(() => push.keys()));
  const mounts = resolveMounts(options.mounts, { basePath, agents, dialects, limits: options.limits });
  const traffic = trafficOf(options, {
    mounts,
    limits,
    rates: openedRates(keptIn.rates, () => opening.whenOpen()),
    clock,
    log,
  });
  const router = new Router({
    basePath,
    mounts,
    dialects,
    describesResources: security.resources?.isOffered,
    publishesKeys: !publishedKeys.isEmpty,
    servesMetrics: telemetry.servesMetrics,
    servesConsole: console !== undefined,
  });
  const bindings = new BindingTable(
    { ...bindingOptions(options, { agents, limits, failures, clock, security }), dialects },
    options.bindings,
  );
  const tenants = new Tenants(options.tenants, [
    ...bindings.all.map(({ path }) => firstSegment(path)),
    ...mounts.map(({ path }) => firstSegment(belowPrefix(path, basePath) ?? '')),
  ]);
  const { cards, catalog, showsAgent } = cardParts(options, {
    agents,
    defaultAgent,
    basePath,
    pathOf,
    mounts,
    dialects,
    bindings: bindings.all,
    keyLifetime: limits.keyLifetime,
    shape: cardSetting.shape,
    signer,
    security,
    push,
    grpcAddress,
    clock,
    log,
  });
  const serviceOf = agentServices(options, {
    engine,
    limits,
    interceptors,
    hopOf,
    clock,
    cards,
    security,
    tenants,
    push,
    log,
  });
  const handlers = new RouteHandlers({
    settings: options,
    agents,
    defaultAgent,
    basePath,
    services: new Map<string, Service>(
      [...agents].map(([name, agent]) => [name, new InterceptedService(serviceOf(name, agent), interceptors)]),
    ),
    interceptors,
    limits,
    traffic: traffic.limits,
    tenants,
    cards,
    bindings,
    resources: security.resources,
    publishedKeys,
    pushRoutes: new PushRoutes(push?.operators),
    operatorRoutes: operatorRoutesOf(options, {
      agents,
      defaultAgent,
      basePath,
      pathOf,
      keptIn,
      store,
      engine,
      dialects,
      interceptors,
      limits,
      security,
      push,
      outbound,
      draining,
      console,
      clock,
      log,
      failures,
      handle: (request) => pipeline.handle(request),
    }),
    consolePage: console && new ConsolePage({ basePath, log }),
    catalog,
    showsAgent,
    metrics: () => telemetry.respond(),
    readiness: new Readiness({ store, opening, draining, clock, log, engine }),
    draining,
    log,
  });
  const cors = corsOf(options.cors);
  const answers = new HeldAnswers(limits, () => clock.now());
  const pipeline = new Pipeline({
    cors,
    door: new Door(options, cors),
    answers,
    route: (request) => askedOf(request, router, options),
    guard: security.guard,
    load: traffic.load,
    limiters: [...traffic.limiters, ...limiters],
    opening,
    handlers,
    log,
    failures,
    telemetry,
  });
  return {
    agents,
    limits,
    bodies: new HeldBodies(limits, clock),
    answers,
    clock,
    log,
    engine,
    opening,
    draining,
    interceptors,
    events,
    cards,
    bindings,
    router,
    pipeline,
    basePath,
    mounts,
    dialects,
    outbound,
    telemetry,
    grpcAddress,
    authentication: security.opened?.authentication,
    open: options.open === true,
    hasConsole: console !== undefined,
    signsForAnyName: signer !== undefined && !Array.isArray(options.hosts) && options.url === undefined,
  };
}

function firstSegment(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Names the server's agents among all that there are. The id is made late: Workers have no randomness before a request. */
function hopSource(newId: () => string): (name: string) => string {
  let id: string | undefined;
  return (name) => {
    id ??= newId();
    return `${id}/${name}`;
  };
}

function chooseDefault(name: string | undefined, agents: ReadonlyMap<string, Agent>): string {
  const chosen = name ?? [...agents.keys()][0];
  if (chosen !== undefined && agents.has(chosen)) return chosen;
  throw new TypeError(`The default agent "${chosen}" is not one of: ${[...agents.keys()].join(', ')}`);
}
