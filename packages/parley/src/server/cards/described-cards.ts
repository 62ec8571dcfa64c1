import type { Agent } from '../../agent/agent.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { AgentCard } from '../../model/card.ts';

/** Makes the card of an agent at an address. */
type DescribeAgent = (url: string) => AgentCard;

const DESCRIBED = new WeakMap<Agent, { readonly dialect: Dialect; readonly describe: DescribeAgent }>();

/** Sets the card that an agent has in one dialect, where another framework describes the agent. */
export function describeAgentIn(dialect: Dialect, agent: Agent, describe: DescribeAgent): void {
  DESCRIBED.set(agent, { dialect, describe });
}

/** Undefined where the card is made of the agent itself. */
export function descriptionIn(dialect: Dialect, agent: Agent): DescribeAgent | undefined {
  const described = DESCRIBED.get(agent);
  return described?.dialect === dialect ? described.describe : undefined;
}
