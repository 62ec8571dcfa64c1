import type { Agent } from '../../agent/agent.ts';
import { type IAgent, isOurAgent, skillsOfTools } from '../../agent/foreign-agent.ts';
import { type A2ACapabilities, type AgentCard, type AgentProvider, encodeCard } from '../../dialects/cogitator.ts';
import type { AgentCard as ModelCard } from '../../model/card.ts';
import { cardOf } from './card.ts';

export interface AgentCardOptions {
  /** Where the agent's operations are. */
  readonly url: string;
  readonly capabilities?: Partial<A2ACapabilities> | undefined;
  readonly provider?: AgentProvider | undefined;
}

/**
 * The card of an agent in the shape of the seed S3 (S3.4): of one of ours, or of one of another framework, whose tools
 * become skills with the JSON Schema of what they take.
 */
export function generateAgentCard(agent: Agent | IAgent, { url, capabilities, provider }: AgentCardOptions): AgentCard {
  const card = encodeCard(isOurAgent(agent) ? cardOf(agent, { url, tenants: [] }) : cardOfForeign(agent, url));
  return {
    ...card,
    capabilities: { ...card.capabilities, ...capabilities },
    ...(provider && { provider: { ...provider } }),
  };
}

function cardOfForeign(agent: IAgent, url: string): ModelCard {
  return {
    name: agent.name,
    description: agent.config?.description ?? '',
    version: '',
    interfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: skillsOfTools(agent.tools ?? []),
  };
}
