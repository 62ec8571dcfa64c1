import type { Agent } from '../../agent/agent.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import { AGENT_CARD_TYPE, CATALOG_TYPE, type CatalogEntry } from '../../model/catalog.ts';
import type { CardResponses } from '../cards/card-responses.ts';

/** The address of the list of a host's agents (AI Catalog). */
export const CATALOG_PATH = '/.well-known/ai-catalog.json';

interface AgentCatalogOptions {
  readonly agents: ReadonlyMap<string, Agent>;
  /** The path of a named agent's operations. */
  readonly pathOf: (name: string) => string;
  readonly responses: CardResponses;
}

/** The agents of a host with the addresses of their cards, for clients that know the host alone. */
export class AgentCatalog {
  readonly #options: AgentCatalogOptions;

  constructor(options: AgentCatalogOptions) {
    this.#options = options;
  }

  /** @param isShown decides by name; callers see no agent that would not let them in */
  respond(request: ExchangeRequest, base: string, isShown: (name: string) => boolean): ExchangeResponse {
    const { agents, pathOf, responses } = this.#options;
    const shown = [...agents].filter(([name]) => isShown(name));
    const key = `catalog ${base} ${JSON.stringify(shown.map(([name]) => name))}`;
    const entryOf = ([name, agent]: readonly [string, Agent]) =>
      catalogEntry(name, agent, base, `${base}${pathOf(name)}/.well-known/agent-card.json`);
    return responses.respond(request, key, () => ({ specVersion: '1.0', entries: shown.map(entryOf) }), CATALOG_TYPE);
  }
}

function catalogEntry(name: string, agent: Agent, base: string, url: string): CatalogEntry {
  const tags = [...new Set(agent.skills.flatMap((skill) => skill.tags))];
  return {
    identifier: `urn:parley:agent:${URL.parse(base)?.host ?? 'localhost'}:${encodeURIComponent(name)}`,
    displayName: agent.title ?? agent.name,
    mediaType: AGENT_CARD_TYPE,
    url,
    ...(agent.description !== '' && { description: agent.description }),
    ...(tags.length > 0 && { tags }),
    ...(agent.version !== '' && { version: agent.version }),
  };
}
