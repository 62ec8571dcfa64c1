import type { A2AClient } from '../../../../client/client.ts';
import { legalName, markOf, takeName } from '../../tool-names.ts';
import { CARD_TIMEOUT } from '../limits.ts';
import { type AgentToolPlan, toolsOf } from './agent-tools.ts';
import type { SchemaCheck } from './schema-check.ts';

/** An agent that is to be served. */
export interface AgentPlace {
  /** The address, as people know the agent. */
  readonly url: string;
  readonly client: A2AClient;
}

/** An agent of the roster. */
export interface BridgedAgent extends AgentPlace {
  /** Stands for the address in the ids of tasks, so that a bridge that is started again knows them. */
  readonly key: string;
}

export interface BridgedTool extends AgentToolPlan {
  readonly agent: BridgedAgent;
}

/** News about an agent, for the log. */
export type AgentNews =
  | { readonly kind: 'found'; readonly url: string; readonly name: string; readonly tools: number }
  | { readonly kind: 'lost'; readonly url: string; readonly error: unknown };

interface RosterOptions {
  readonly onNews: (news: AgentNews) => void;
  readonly checkSchema: SchemaCheck;
  /** Milliseconds that one look at a card may take. */
  readonly timeout?: number | undefined;
}

interface Entry {
  readonly agent: BridgedAgent;
  /** The name that the agent got when it was first seen; it keeps it. */
  name: string | undefined;
  tools: readonly AgentToolPlan[];
  /** The last news as text, so that nothing is told twice. */
  told: string;
}

/** The agents behind the bridge, and their tools as their cards describe them. An agent that is down has none for now. */
export class Roster {
  readonly #entries: readonly Entry[];
  readonly #onNews: RosterOptions['onNews'];
  readonly #checkSchema: SchemaCheck;
  readonly #names = new Set<string>();
  readonly #timeout: number;
  #tools: ReadonlyMap<string, BridgedTool> = new Map();
  readonly #listeners = new Set<() => void>();
  #shape: string | undefined;
  #looking: Promise<void> | undefined;

  constructor(places: readonly AgentPlace[], { onNews, checkSchema, timeout = CARD_TIMEOUT }: RosterOptions) {
    this.#entries = places.map(({ url, client }) => ({
      agent: { url, client, key: markOf(url) },
      name: undefined,
      tools: [],
      told: '',
    }));
    this.#onNews = onNews;
    this.#checkSchema = checkSchema;
    this.#timeout = timeout;
  }

  /** The tools as of the last look, by name. */
  get tools(): ReadonlyMap<string, BridgedTool> {
    return this.#tools;
  }

  /** The addresses of agents that were never reached. */
  get missing(): readonly string[] {
    return this.#entries.flatMap(({ name, agent }) => (name === undefined ? [agent.url] : []));
  }

  agentOf(key: string): BridgedAgent | undefined {
    return this.#entries.find(({ agent }) => agent.key === key)?.agent;
  }

  /** The name of the tool by which an agent takes messages. */
  messageToolOf(agent: BridgedAgent): string {
    const tools = [...this.#tools.values()];
    return tools.find((tool) => tool.agent === agent && tool.skill === undefined)?.name ?? 'of the agent';
  }

  /** Calls back when the tools are others than before, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Looks at all cards; clients keep them for as long as the agents allow. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    await Promise.all(this.#entries.map((entry) => this.#lookAt(entry)));
    const tools = new Map<string, BridgedTool>();
    const taken = new Set<string>();
    for (const { agent, tools: plans } of this.#entries) {
      for (const plan of plans) {
        const name = takeName(plan.name, taken);
        tools.set(name, { ...plan, name, agent });
      }
    }
    const shape = JSON.stringify([...tools.values()].map(({ agent, ...plan }) => [agent.key, plan]));
    const isChanged = this.#shape !== undefined && shape !== this.#shape;
    this.#tools = tools;
    this.#shape = shape;
    if (isChanged) for (const listener of this.#listeners) listener();
  }

  async #lookAt(entry: Entry): Promise<void> {
    const { agent } = entry;
    try {
      const card = await agent.client.agentCard({ timeout: this.#timeout });
      entry.name ??= takeName(legalName(card.name, 'agent'), this.#names);
      entry.tools = toolsOf(card, entry.name, this.#checkSchema);
      this.#tell(entry, { kind: 'found', url: agent.url, name: card.name, tools: entry.tools.length });
    } catch (error) {
      // Tools of an agent that was there stay: it may be back for the next call, and says so itself if it is not.
      this.#tell(entry, { kind: 'lost', url: agent.url, error });
    }
  }

  #tell(entry: Entry, news: AgentNews): void {
    const told = news.kind === 'found' ? `${news.name} ${news.tools}` : `lost ${String(news.error)}`;
    if (told === entry.told) return;
    entry.told = told;
    this.#onNews(news);
  }
}
