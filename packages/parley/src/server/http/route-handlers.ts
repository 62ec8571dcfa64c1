import type { Agent } from '../../agent/agent.ts';
import type { ServerBinding } from '../../bindings/binding.ts';
import type { BindingTable } from '../../bindings/binding-table.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import { formOfPage } from '../../bindings/http/body/page-bodies.ts';
import type { Service } from '../../bindings/service.ts';
import type { Logger } from '../../engine/ports.ts';
import type { CallEnd, Caller, NewCall } from '../../model/call.ts';
import { A2AError, isA2AError, quoted } from '../../model/errors/errors.ts';
import type { InputLimits } from '../../model/input-limits.ts';
import type { TrafficLimits } from '../../model/traffic-limits.ts';
import type { ResourceMetadata } from '../auth/guard/resource-metadata.ts';
import type { Cards } from '../cards/cards.ts';
import type { ConsolePage } from '../console/console-page.ts';
import type { Draining } from '../core/draining.ts';
import type { Interceptors } from '../intercept/interceptors.ts';
import type { Tenants } from '../operations/tenants.ts';
import type { OperatorRoutes } from '../operator/operator-routes.ts';
import { problemOf } from '../operator/problems.ts';
import type { PushRoutes } from '../operator/push-routes.ts';
import type { A2AServerOptions } from '../options.ts';
import { baseUrlOf } from '../routing/base-url.ts';
import {
  type CardRoute,
  type ConsoleRoute,
  isCardRead,
  isReading,
  type OperationsRoute,
  type OperatorRoute,
  type PushRoute,
  type Route,
} from '../routing/routes.ts';
import type { AgentCatalog } from '../well-known/agent-catalog.ts';
import type { PublishedKeys } from '../well-known/published-keys.ts';
import type { Asked } from './asked.ts';
import { type Check, healthOf, isVerbose } from './health.ts';
import type { Readiness } from './readiness.ts';
import { RequestCall } from './request-call.ts';
import { httpError, httpErrorOf, methodNotAllowed, plainText } from './responses.ts';
import { WatchedStream } from './watched-stream.ts';

interface RouteHandlersOptions {
  readonly settings: Pick<A2AServerOptions, 'url' | 'trustProxy'>;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly defaultAgent: string;
  readonly basePath: string;
  readonly services: ReadonlyMap<string, Service>;
  readonly interceptors: Interceptors;
  /** For addresses outside mounts. */
  readonly limits: InputLimits;
  readonly traffic: TrafficLimits;
  readonly log: Logger;
  readonly tenants: Tenants;
  readonly cards: Cards;
  readonly bindings: BindingTable;
  readonly resources?: ResourceMetadata | undefined;
  readonly publishedKeys: PublishedKeys;
  readonly catalog: AgentCatalog;
  /** Tells whether the list of agents shows one of them to a caller. */
  readonly showsAgent: (name: string, caller: Caller) => boolean;
  readonly readiness: Readiness;
  readonly draining: Draining;
  readonly pushRoutes: PushRoutes;
  readonly operatorRoutes: OperatorRoutes;
  /** Undefined where the console is off. */
  readonly consolePage: ConsolePage | undefined;
  /** The metrics in Prometheus form. */
  readonly metrics: () => Promise<ExchangeResponse>;
}

/** Responds to requests by their routes: operations through a binding, cards, and what else is there to read. */
export class RouteHandlers {
  readonly #options: RouteHandlersOptions;

  constructor(options: RouteHandlersOptions) {
    this.#options = options;
  }

  handle(asked: Asked): ExchangeResponse | Promise<ExchangeResponse> {
    return asked.request.method === 'OPTIONS' ? this.#describe(asked) : this.#handle(asked);
  }

  /** Responds to OPTIONS with the methods that an address takes, as a refusal of another method would name them. */
  async #describe(asked: Asked): Promise<ExchangeResponse> {
    if (asked.path === '*') return { status: 204, headers: { allow: ALL_METHODS }, body: undefined };
    const response = await this.#handle(asked);
    const { allow } = response.headers;
    if (response.status !== 405 || allow === undefined) return response;
    return { status: 204, headers: { allow: `${allow}, OPTIONS` }, body: undefined };
  }

  #handle(asked: Asked): ExchangeResponse | Promise<ExchangeResponse> {
    const { request, path, route } = asked;
    if (!route) {
      const { basePath } = this.#options;
      return httpError('NOT_FOUND', `Nothing is served at ${quoted(path)}. Operations are at ${basePath}`);
    }
    if (route.kind === 'operations') return this.#operate(asked, route);
    if (route.kind === 'push') return this.#options.pushRoutes.respond(request, asked.query, route);
    if (route.kind === 'operator') return this.#options.operatorRoutes.respond(asked, route);
    if (!isReading(request)) return methodNotAllowed(request.method, 'GET, HEAD');
    if (route.kind === 'metrics') return this.#options.metrics();
    if (route.kind === 'console') {
      const { consolePage } = this.#options;
      return consolePage?.respond(request, route.path) ?? httpError('NOT_FOUND', 'The console is off');
    }
    if (route.kind === 'health' && route.isReadiness) return this.#options.readiness.respond(isVerbose(asked.query));
    return this.#read(asked, route);
  }

  /** Refuses in the shape of the binding and the dialect that were asked, as far as they are known. */
  refuse(asked: Asked, error: A2AError): ExchangeResponse {
    const { status, headers, body } = this.#refusal(asked, error);
    return { status, headers, body, error };
  }

  #refusal({ request, query, route }: Asked, error: A2AError): ExchangeResponse {
    if (route && ANSWERS_OPERATORS.has(route.kind)) return problemOf(error);
    if (route?.kind !== 'operations' || isCardRead(request, route)) return httpErrorOf(error);
    const { served } = this.#options.bindings.find(route, request.carrier) ?? {};
    if (!served) return httpErrorOf(error);
    const { path, place, mount } = route;
    const { limits } = mount ?? this.#options;
    return served.refuse({ request, query, path, place, limits, pinned: mount?.dialect }, error);
  }

  /** The limits of what the request may say: its caller's own, those of its mount, or those of the server. */
  limitsOf({ route, usage }: Pick<Asked, 'route' | 'usage'>): InputLimits {
    if (usage?.inputLimits) return usage.inputLimits;
    return (route?.kind === 'operations' && route.mount ? route.mount : this.#options).limits;
  }

  /** Tells, before the body of a request for an operation is read, whether it will be looked at. */
  wantsBody({ request, query, route }: Asked): boolean {
    if (route?.kind === 'operator') return request.method === 'POST';
    if (route?.kind !== 'operations' || isCardRead(request, route)) return false;
    const { bindings, services, defaultAgent } = this.#options;
    const { binding, served, isAdded } = bindings.find(route, request.carrier) ?? {};
    if (isAdded && formOfPage(request)) return false;
    if (!served || !takes(binding, request) || !services.has(route.agent ?? defaultAgent)) return false;
    const { path, place, mount } = route;
    const { limits } = mount ?? this.#options;
    return served.wantsBody?.({ request, query, path, place, limits, pinned: mount?.dialect }) ?? true;
  }

  #operate(asked: Asked, route: OperationsRoute): ExchangeResponse | Promise<ExchangeResponse> {
    const { settings, defaultAgent, services, interceptors, bindings, draining, log } = this.#options;
    const { request, query } = asked;
    const { agent, path, place, mount, everyone } = route;
    const limits = this.limitsOf(asked);
    const traffic = asked.usage?.limits ?? mount?.traffic ?? this.#options.traffic;
    const name = agent ?? defaultAgent;
    if (isCardRead(request, route)) return this.#read(asked, { kind: 'card', agent: name, form: 'agent', mount });
    const { binding, served, isAdded } = bindings.find(route, request.carrier) ?? {};
    if (!served) return this.refuse(asked, new A2AError('NOT_FOUND', `No binding is served at ${quoted(path)}`));
    if (!takes(binding, request)) return this.#wrongMethod(asked, methodsAt(binding, route));
    const form = isAdded && request.body !== undefined ? formOfPage(request) : undefined;
    if (form) return this.refuse(asked, form);
    const service = services.get(name);
    if (!service) return this.refuse(asked, noSuchAgent(name, this.#options.agents));
    const calls: RequestCall[] | undefined = interceptors.operation && [];
    const newCall: NewCall = (details) => {
      draining.admit(details.operation, asked.caller);
      asked.usage?.admit(details.operation);
      const call = new RequestCall(request, name, asked.caller, details, { settings, everyone, limits, traffic, log });
      calls?.push(call);
      return call;
    };
    const response = served.handle({ request, query, path, place, service, newCall, limits, pinned: mount?.dialect });
    return calls ? Promise.resolve(response).then((made) => watched(made, request, calls)) : response;
  }

  #wrongMethod(asked: Asked, allow: string): ExchangeResponse {
    const { method } = asked.request;
    const error = new A2AError('METHOD_NOT_ALLOWED', `${quoted(method)} is not allowed here; use ${allow}`);
    const response = this.refuse(asked, error);
    return { ...response, headers: { ...response.headers, allow } };
  }

  #read(
    asked: Asked,
    route: Exclude<Route, OperationsRoute | PushRoute | OperatorRoute | ConsoleRoute | { readonly kind: 'metrics' }>,
  ): ExchangeResponse | Promise<ExchangeResponse> {
    const { settings, cards, catalog, showsAgent } = this.#options;
    const { request, query, caller } = asked;
    const base = baseUrlOf(request, settings);
    switch (route.kind) {
      case 'card':
        if (route.tenant !== undefined) return this.#readTenantCard(asked, route, route.tenant, base);
        return cards.respond(request, query, route, base) ?? this.#unknownAgent(route.agent ?? '');
      case 'agents':
        return cards.agents(request, base, (name) => showsAgent(name, caller));
      case 'catalog':
        return catalog.respond(request, base, (name) => showsAgent(name, caller));
      case 'keys':
        return this.#options.publishedKeys.respond();
      case 'health':
        return healthOf(this.#options.draining.isOn ? 'draining' : 'ok', isVerbose(query) ? ALIVE : undefined);
      case 'resource':
        return this.#options.resources?.respond(request, route.path) ?? httpError('NOT_FOUND', 'No resource is there');
      case 'welcome':
        return plainText(200, this.#welcome(base));
    }
  }

  /** The card of a tenant whom the caller may not name is as good as none. */
  #readTenantCard(
    asked: Asked,
    route: CardRoute,
    tenant: string,
    base: string,
  ): ExchangeResponse | Promise<ExchangeResponse> {
    const { tenants, cards } = this.#options;
    const { request, query, caller } = asked;
    try {
      const name = tenants.tenantOf(tenant, caller);
      const whose = name === undefined ? undefined : { name, isOwn: caller.tenant === name };
      const response = whose && cards.respond(request, query, route, base, whose);
      return response ?? httpError('NOT_FOUND', 'There is no such card here');
    } catch (error) {
      if (isA2AError(error)) return this.refuse(asked, error);
      throw error;
    }
  }

  #unknownAgent(name: string): ExchangeResponse {
    return httpError('NOT_FOUND', noSuchAgent(name, this.#options.agents).message);
  }

  #welcome(base: string): string {
    const { agents, defaultAgent, basePath } = this.#options;
    const lines = [...agents].map(([name, agent]) => {
      const path = name === defaultAgent ? '' : `/agents/${name}`;
      return `${name}: ${agent.description}\n  JSON-RPC  ${base}${basePath}${path}\n`;
    });
    return `This is a Parley A2A server.\n\n${lines.join('\n')}\nCard      ${base}/.well-known/agent-card.json\n`;
  }
}

/** Routes whose refusals are `application/problem+json`. */
const ANSWERS_OPERATORS: ReadonlySet<Route['kind']> = new Set<Route['kind']>(['push', 'operator', 'metrics']);

/** A process that responds lives. */
const ALIVE: readonly Check[] = [{ name: 'process' }];

/** Those of all addresses together. */
const ALL_METHODS = 'GET, HEAD, POST, DELETE, OPTIONS';

function takes(binding: ServerBinding | undefined, { method }: ExchangeRequest): boolean {
  return binding?.methods === undefined || binding.methods.includes(method);
}

/** The card of an agent can be read at the agent's own address. */
function methodsAt(binding: ServerBinding | undefined, { agent, path }: OperationsRoute): string {
  const reading = path === '' && agent !== undefined ? ['GET', 'HEAD'] : [];
  return [...reading, ...(binding?.methods ?? [])].join(', ');
}

export function noSuchAgent(name: string, agents: ReadonlyMap<string, Agent>): A2AError {
  const text = `There is no agent "${quoted(name)}" here. There is: ${[...agents.keys()].join(', ')}`;
  return new A2AError('NOT_FOUND', text, { metadata: { agentName: quoted(name) } });
}

/** Tells the calls of a request of their end, where something waits for it. */
function watched(
  response: ExchangeResponse,
  request: ExchangeRequest,
  calls: readonly RequestCall[],
): ExchangeResponse {
  const waiting = calls.filter(({ isWatched }) => isWatched);
  if (waiting.length === 0) return response;
  const tell = (end: CallEnd) => {
    for (const call of waiting) call.end(end);
  };
  const { body } = response;
  if (typeof body === 'object') return { ...response, body: new WatchedStream(body, tell) };
  tell({ isComplete: !hasLeft(request) });
  return response;
}

function hasLeft(request: ExchangeRequest): boolean {
  let isGone = false;
  request.onAbort?.(() => {
    isGone = true;
  })();
  return isGone;
}
