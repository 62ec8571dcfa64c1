import type { Agent } from '../agent/agent.ts';
import { type A2ACapabilities, type AgentCard, type AgentProvider, encodeCard } from '../dialects/cogitator.ts';
import { cardOf } from '../server/cards/card.ts';
import { cardOfForeignAgent, type IAgent, isOurAgent } from './foreign-agent.ts';

export interface AgentCardOptions {
  /** The address of the agent's operations. */
  readonly url: string;
  /** Capabilities that the card declares. */
  readonly capabilities?: Partial<A2ACapabilities> | undefined;
  /** The organization that offers the agent. */
  readonly provider?: AgentProvider | undefined;
}

/**
 * The card of an agent in the shape of the seed S3 (S3.4): of one of ours, or of one of another framework, whose tools
 * become skills with the JSON Schema of what they take.
 */
export function generateAgentCard(agent: Agent | IAgent, { url, capabilities, provider }: AgentCardOptions): AgentCard {
  const card = encodeCard(isOurAgent(agent) ? cardOf(agent, { url, tenants: [] }) : cardOfForeignAgent(agent, url));
  return {
    ...card,
    capabilities: { ...card.capabilities, ...capabilities },
    ...(provider && { provider: { ...provider } }),
  };
}
