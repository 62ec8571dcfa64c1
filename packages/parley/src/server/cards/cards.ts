import type { Agent, ExtendedCard } from '../../agent/agent.ts';
import type { ServerBinding } from '../../bindings/binding.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import { JSON_RPC } from '../../bindings/jsonrpc/name.ts';
import { type CardJson, cardPayload } from '../../cards/payload/card-payload.ts';
import type { Dialect, WireValue } from '../../dialects/dialect.ts';
import type { DialectRegistry } from '../../dialects/registry.ts';
import type { Caller } from '../../model/call.ts';
import type { AgentCard } from '../../model/card.ts';
import type { ResolvedMount } from '../routing/mounts.ts';
import type { CardRoute, DialectCardForm } from '../routing/routes.ts';
import { type CardAddress, type CardSecurity, type CardTenant, cardOf } from './card.ts';
import type { CardResponses } from './card-responses.ts';
import { type CardShape, encodeCardAs, namedCardShape } from './card-shapes.ts';
import type { CardSigner } from './card-signer.ts';
import { checkCard } from './check-card.ts';
import { descriptionIn } from './described-cards.ts';

export interface CardsOptions {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly defaultAgent: string;
  readonly basePath: string;
  /** The path of a named agent's operations. */
  readonly pathOf: (name: string) => string;
  readonly mounts: readonly ResolvedMount[];
  readonly dialects: DialectRegistry;
  readonly bindings: readonly ServerBinding[];
  readonly tenants: readonly string[];
  /** The lifetime of idempotency keys, in milliseconds. */
  readonly keyLifetime: number;
  /** The shape for a request that names no version. */
  readonly shape: CardShape;
  readonly responses: CardResponses;
  /** The same for cards of tenants, which are for their own callers. */
  readonly tenantResponses: CardResponses;
  /** Undefined where cards are not signed. */
  readonly signer?: CardSigner | undefined;
  /** Tells whether an address is the server's own, so that a signed card may name it. */
  readonly vouchesFor: (base: string) => boolean;
  /** The credentials that callers of an agent must have. */
  readonly securityOf: (name: string) => CardSecurity;
  /** The webhooks that cards declare; undefined if there are none. */
  readonly push: (base?: string) => CardAddress['push'];
  /** The address of gRPC for those who reach the server at `base`; undefined if there is none. */
  readonly grpcAt: (base: string) => string | undefined;
  /** Changes whenever what callers must prove, what is told of webhooks, or the port of gRPC does. */
  readonly revision: () => string;
}

/** The cards of a server: of one agent or of all, at an address, in a form. */
export class Cards {
  readonly #options: CardsOptions;
  /** The dialect whose clients read the card at an agent's own address. */
  readonly #atAgents: Dialect | undefined;

  constructor(options: CardsOptions) {
    this.#options = options;
    this.#atAgents = options.dialects.all.find(({ addresses }) => addresses?.card?.isAtAgents);
  }

  /** Throws a TypeError for an agent whose card cannot be published, or cannot be signed. */
  check(): void {
    const { agents, pathOf, signer } = this.#options;
    for (const [name, agent] of agents) {
      const card = this.#official(agent, name, 'http://localhost', pathOf(name));
      checkCard(card, name);
      if (signer) requireSignable(card, name);
    }
  }

  /** `base`: the address of the server, as clients use it. Undefined where there is no such agent. */
  respond(
    request: ExchangeRequest,
    query: URLSearchParams,
    route: CardRoute,
    base: string,
    tenant?: CardTenant,
  ): ExchangeResponse | Promise<ExchangeResponse> | undefined {
    const name = route.agent ?? this.#options.defaultAgent;
    const agent = this.#options.agents.get(name);
    if (!agent) return undefined;
    const responses = tenant ? this.#options.tenantResponses : this.#options.responses;
    const revision = this.#options.revision();
    // An address of one dialect has no card of another.
    const shape = route.mount ? undefined : namedCardShape(request, query);
    // A tenant that must be named has nothing for a version that cannot.
    if (tenant && !tenant.isOwn && shape === '0.3') return undefined;
    const form = this.#formOf(route);
    if (!shape && form?.isList) {
      return responses.respond(request, `list ${revision} ${form.dialect.name} ${base}`, () =>
        this.#list(form.dialect, base),
      );
    }
    const dialect = form && this.#isServed(form.dialect, route) ? form.dialect : route.mount?.dialect;
    if (!shape && dialect) {
      const url = this.#mountedUrl(route, dialect, base);
      return responses.respond(request, `${revision} ${dialect.name} ${name} ${url}`, () =>
        this.#encode(agent, name, dialect, url),
      );
    }
    const path = route.agent === undefined ? this.#options.basePath : this.#options.pathOf(name);
    const chosen = tenant && !tenant.isOwn ? '1.0' : (shape ?? this.#options.shape);
    const whose = tenant ? ` ${JSON.stringify(tenant)}` : '';
    const key = `${revision} ${chosen} ${name} ${base}${path}${whose}`;
    const card = () => this.#official(agent, name, base, path, tenant);
    return chosen === '1.0' && this.#signs(base)
      ? responses.respondLater(request, key, async () => encodeCardAs(chosen, await this.#signed(card())))
      : responses.respond(request, key, () => encodeCardAs(chosen, card()));
  }

  /** The card of an agent as a request without a version gets it; undefined where there is no such agent. */
  published(agentName: string | undefined, base: string): WireValue {
    const name = agentName ?? this.#options.defaultAgent;
    const agent = this.#options.agents.get(name);
    const path = agentName === undefined ? this.#options.basePath : this.#options.pathOf(name);
    return agent && encodeCardAs(this.#options.shape, this.#official(agent, name, base, path));
  }

  /** The card of an agent for a caller: the public one, or that of a tenant, with what the agent tells this caller. */
  async extended(name: string, base: string, caller: Caller, tenant?: CardTenant): Promise<AgentCard> {
    const { agents, defaultAgent, basePath, pathOf } = this.#options;
    const agent = agents.get(name) as Agent;
    const card = this.#official(agent, name, base, name === defaultAgent ? basePath : pathOf(name), tenant);
    const { extendedCard } = agent;
    const more = typeof extendedCard === 'function' ? await extendedCard(caller) : extendedCard;
    const extended = typeof more === 'object' ? extendedBy(more, card) : card;
    return this.#signs(base) ? this.#signed(extended) : extended;
  }

  /** The list of the agents that a caller is shown, with the addresses of their cards. */
  agents(request: ExchangeRequest, base: string, isShown: (name: string) => boolean): ExchangeResponse {
    const { agents, pathOf, responses } = this.#options;
    const shown = [...agents].filter(([name]) => isShown(name));
    return responses.respond(request, `agents ${base} ${JSON.stringify(shown.map(([name]) => name))}`, () => ({
      agents: shown.map(([name, { description, version, skills }]) => ({
        name,
        description,
        version,
        url: `${base}${pathOf(name)}`,
        card: `${base}${pathOf(name)}/card`,
        skills: skills.map(({ id }) => id),
      })),
    }));
  }

  /** A signed card with another party's address would lead those who trust it there. */
  #signs(base: string): boolean {
    return this.#options.signer !== undefined && this.#options.vouchesFor(base);
  }

  async #signed(card: AgentCard): Promise<AgentCard> {
    const signatures = await this.#options.signer?.sign(encodeCardAs('1.0', card) as CardJson);
    return { ...card, signatures };
  }

  #official(agent: Agent, name: string, base: string, path: string, tenant?: CardTenant): AgentCard {
    const { bindings, tenants, mounts, defaultAgent, keyLifetime, securityOf } = this.#options;
    const also = mounts.filter((mount) => mount.isListed && (mount.agent ?? defaultAgent) === name);
    const mounted = also.map((mount) => ({ url: `${base}${mount.path}`, version: mount.dialect.version }));
    const security = securityOf(name);
    const push = this.#options.push(base);
    const at = this.#options.grpcAt(base);
    const grpc = at === undefined ? undefined : { address: at, agent: name === defaultAgent ? undefined : name };
    const url = `${base}${path}`;
    return cardOf(agent, { url, bindings, grpc, tenants, tenant, mounted, keyLifetime, security, push });
  }

  /** The form of one dialect; undefined where the version decides. */
  #formOf({ form }: CardRoute): DialectCardForm | undefined {
    if (form === 'agent') return this.#atAgents && { dialect: this.#atAgents, isList: false };
    return form === 'negotiated' ? undefined : form;
  }

  /** The default agent's first, whose address is the base path: a client that wants only one takes it (S3, Task 10). */
  #list(dialect: Dialect, base: string): readonly unknown[] {
    const { agents, basePath, defaultAgent, pathOf } = this.#options;
    const others = [...agents].filter(([name]) => name !== defaultAgent);
    const first = agents.get(defaultAgent);
    return [
      ...(first ? [this.#encode(first, defaultAgent, dialect, `${base}${basePath}`)] : []),
      ...others.map(([name, agent]) => this.#encode(agent, name, dialect, `${base}${pathOf(name)}`)),
    ];
  }

  #encode(agent: Agent, name: string, dialect: Dialect, url: string): unknown {
    const { keyLifetime, securityOf } = this.#options;
    const describe = descriptionIn(dialect, agent);
    const security = securityOf(name);
    if (describe) return dialect.encodeCard({ ...describe(url), ...(security.security && security) });
    const push = [...dialect.methods.values()].includes('createPushConfig') ? this.#options.push() : undefined;
    const card = cardOf(agent, { url, tenants: [], keyLifetime, security, push });
    const entry = { url, protocolBinding: JSON_RPC, protocolVersion: dialect.version };
    return dialect.encodeCard({ ...card, interfaces: [entry] });
  }

  /** Not where another dialect is pinned, unless there is a mount of this one elsewhere. */
  #isServed(dialect: Dialect, { mount }: CardRoute): boolean {
    return !mount || this.#options.mounts.some((other) => other.dialect === dialect);
  }

  /** The address at which the dialect is spoken: a mount of it where there is one. */
  #mountedUrl({ agent, mount }: CardRoute, dialect: Dialect, base: string): string {
    const { mounts, basePath, pathOf } = this.#options;
    const place = mount?.dialect === dialect ? mount : mounts.find((other) => other.dialect === dialect);
    if (!place) return `${base}${agent === undefined ? basePath : pathOf(agent)}`;
    const below = agent === undefined || agent === place.agent ? '' : `/agents/${encodeURIComponent(agent)}`;
    return `${base}${place.path}${below}`;
  }
}

function requireSignable(card: AgentCard, name: string): void {
  try {
    cardPayload(encodeCardAs('1.0', card) as CardJson);
  } catch (error) {
    throw new TypeError(
      `The card of agent "${name}" cannot be signed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The public card with the members that an agent has for a caller. */
function extendedBy({ description, skills, documentationUrl }: ExtendedCard, card: AgentCard): AgentCard {
  return {
    ...card,
    description: description ?? card.description,
    skills: skills ?? card.skills,
    documentationUrl: documentationUrl ?? card.documentationUrl,
  };
}
