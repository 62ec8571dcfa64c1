import type { Agent } from '../agent/agent.ts';
import type { A2AServerOptions } from '../server/options.ts';
import { normalPath } from '../server/routing/paths.ts';
import { type Cogitator, fromForeignAgent, type IAgent, isOurAgent } from './foreign-agent.ts';

/** The options of a server whose agents may be those of another framework (S3.2). */
export interface A2AServerConfig extends Omit<A2AServerOptions, 'agents'> {
  readonly agents: readonly (Agent | IAgent)[] | Readonly<Record<string, Agent | IAgent>>;
  /** Runs the agents that do not run by themselves. */
  readonly cogitator: Cogitator;
  /** Accepts batches: `jsonRpcBatches` under the name that it has for these programs (S3.3). */
  readonly batch?: boolean | undefined;
  /** The address at which clients reach the server, with the base path or without: `url` under the name of S3.2. */
  readonly cardUrl?: string | undefined;
}

/** The same options with agents that run. Throws a TypeError where nothing runs one of them. */
export function serverOptionsOf(given: A2AServerOptions | A2AServerConfig): A2AServerOptions {
  const { cogitator, batch, cardUrl, ...config } = {
    cogitator: undefined,
    batch: undefined,
    cardUrl: undefined,
    ...given,
  };
  const { jsonRpcBatches = batch, url = baseOfCards(cardUrl, config.basePath) } = config;
  return { ...config, jsonRpcBatches, url, agents: runningAgents(config.agents, cogitator) };
}

/** `cardUrl` may be given with the base path or without. */
function baseOfCards(cardUrl: string | undefined, basePath = '/a2a'): string | undefined {
  const plain = cardUrl?.replace(/(?<!\/)\/+$/, '');
  const path = normalPath(basePath);
  return path !== '' && plain?.endsWith(path) ? plain.slice(0, -path.length) : plain;
}

function runningAgents(
  agents: A2AServerConfig['agents'],
  cogitator: Cogitator | undefined,
): A2AServerOptions['agents'] {
  const running = (agent: Agent | IAgent): Agent => {
    if (typeof agent !== 'object' || agent === null) return agent;
    if (isOurAgent(agent)) return agent;
    if (cogitator) return fromForeignAgent(agent, cogitator);
    throw new TypeError(`Agent "${agent.name}" does not run by itself: give the server a cogitator that runs it`);
  };
  // What is none is refused with the other options.
  if (typeof agents !== 'object' || agents === null) return agents;
  if (isList(agents)) return agents.map(running);
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, running(agent)]));
}

function isList(agents: A2AServerConfig['agents']): agents is readonly (Agent | IAgent)[] {
  return Array.isArray(agents);
}
