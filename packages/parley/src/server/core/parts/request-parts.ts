import type { Service } from '../../../bindings/service.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { ConsolePage } from '../../console/console-page.ts';
import { askedOf } from '../../http/asked.ts';
import { corsOf } from '../../http/cors.ts';
import { Door } from '../../http/door/door.ts';
import { HeldResponses } from '../../http/held/held-responses.ts';
import { Pipeline } from '../../http/pipeline.ts';
import { Readiness } from '../../http/readiness.ts';
import { RouteHandlers } from '../../http/route-handlers.ts';
import { InterceptedService } from '../../intercept/service.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { PushRoutes } from '../../operator/push-routes.ts';
import type { A2AServerOptions } from '../../options.ts';
import type { Push } from '../../push/push.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { PublishedKeys } from '../../well-known/published-keys.ts';
import { agentServices } from '../agent-services.ts';
import type { Draining } from '../draining.ts';
import type { Opening } from '../opening.ts';
import type { Security } from '../security.ts';
import type { AddressParts } from './address-parts.ts';
import type { Basis } from './basis.ts';
import type { CardParts } from './card-parts.ts';
import { operatorRoutesOf } from './operator-parts.ts';
import type { WorkParts } from './work-parts.ts';

/** The way of a request, and what waits on it. */
interface RequestParts {
  readonly pipeline: Pipeline;
  readonly responses: HeldResponses;
}

interface Surroundings extends Basis, WorkParts, AddressParts, CardParts {
  readonly security: Security;
  readonly push: Push | undefined;
  readonly telemetry: Telemetry;
  readonly publishedKeys: PublishedKeys;
  readonly opening: Opening;
  readonly draining: Draining;
  /** The limits of the pipeline beside those of callers, in the order in which they are asked. */
  readonly limiters: readonly Limiter[];
}

export function requestPartsOf(options: A2AServerOptions, parts: Surroundings): RequestParts {
  const { card, clock, log, failures, limits, opening, router, security, telemetry, traffic } = parts;
  const cors = corsOf(options.cors, keyHeaders(security.opened?.authentication.authenticators ?? []));
  const responses = new HeldResponses(limits, () => clock.now());
  const { url, trustProxy } = options;
  const asking = { url, trustProxy, areCardsGuarded: card.isGuarded };
  const pipeline: Pipeline = new Pipeline({
    cors,
    door: new Door(options, cors),
    responses,
    route: (request) => askedOf(request, router, asking),
    guard: security.guard,
    load: traffic.load,
    limiters: [...traffic.limiters, ...parts.limiters],
    opening,
    handlers: handlersOf(options, parts, (request) => pipeline.handle(request)),
    log,
    failures,
    telemetry,
  });
  return { pipeline, responses };
}

/** The headers in which callers send API keys. */
function keyHeaders(authenticators: readonly Authenticator[]): readonly string[] {
  return authenticators.flatMap(({ scheme }) =>
    scheme.type === 'apiKey' && scheme.in === 'header' ? [scheme.name] : [],
  );
}

/** `handle`: the way of a request through this server, for its own console. */
function handlersOf(options: A2AServerOptions, parts: Surroundings, handle: Pipeline['handle']): RouteHandlers {
  const { agents, basePath, interceptors, log, security, push, traffic, telemetry, console } = parts;
  const serviceOf = agentServices(options, parts);
  const services = new Map<string, Service>(
    [...agents].map(([name, agent]) => [name, new InterceptedService(serviceOf(name, agent), interceptors)]),
  );
  return new RouteHandlers({
    settings: options,
    agents,
    defaultAgent: parts.defaultAgent,
    basePath,
    services,
    interceptors,
    limits: parts.limits,
    traffic: traffic.limits,
    tenants: parts.tenants,
    cards: parts.cards,
    bindings: parts.bindings,
    resources: security.resources,
    publishedKeys: parts.publishedKeys,
    pushRoutes: new PushRoutes(push?.operators),
    operatorRoutes: operatorRoutesOf(options, { ...parts, handle }),
    consolePage: console && new ConsolePage({ basePath, log }),
    catalog: parts.catalog,
    showsAgent: parts.showsAgent,
    metrics: () => telemetry.respond(),
    readiness: new Readiness(parts),
    draining: parts.draining,
    log,
  });
}
