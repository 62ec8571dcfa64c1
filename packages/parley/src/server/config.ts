import type { Agent } from '../agent/agent.ts';
import { type Cogitator, fromForeignAgent, type IAgent, isOurAgent } from '../agent/foreign-agent.ts';
import { agentPath } from '../model/extensions/calls.ts';
import { fromTaskStore } from './follow/task-mirror.ts';
import { normalPath } from './http/paths.ts';
import { type A2AServerOptions, consoleLog } from './options.ts';

/** The options of a server whose agents may be those of another framework (S3.2). */
export interface A2AServerConfig extends Omit<A2AServerOptions, 'agents'> {
  readonly agents: readonly (Agent | IAgent)[] | Readonly<Record<string, Agent | IAgent>>;
  /** Runs the agents that do not run by themselves. */
  readonly cogitator: Cogitator;
}

/** The same in the words of the core: agents that run, one address, one store. */
export function resolveConfig(given: A2AServerOptions | A2AServerConfig): A2AServerOptions {
  const { cogitator, ...config } = { cogitator: undefined, ...given };
  const { taskStore, store, log = consoleLog, clock, statusMessage } = config;
  return {
    ...config,
    agents: runningAgents(config.agents, cogitator),
    url: config.url ?? baseOfCards(config),
    store: taskStore ? fromTaskStore(taskStore, { store, log, clock, statusMessage }) : store,
  };
}

/** Where clients reach an agent of this server; the default one has the base path itself. */
export function addressOf(base: string, basePath = '/a2a', agent?: string): string {
  return `${base.replace(/\/+$/, '')}${normalPath(basePath)}${agent === undefined ? '' : agentPath(agent)}`;
}

/** `cardUrl` may be given with the base path or without. */
function baseOfCards({
  cardUrl,
  basePath = '/a2a',
}: Pick<A2AServerOptions, 'cardUrl' | 'basePath'>): string | undefined {
  const plain = cardUrl?.replace(/\/+$/, '');
  const path = normalPath(basePath);
  return path !== '' && plain?.endsWith(path) ? plain.slice(0, -path.length) : plain;
}

function runningAgents(
  agents: A2AServerConfig['agents'],
  cogitator: Cogitator | undefined,
): A2AServerOptions['agents'] {
  const running = (agent: Agent | IAgent): Agent => {
    if (isOurAgent(agent)) return agent;
    if (cogitator) return fromForeignAgent(agent, cogitator);
    throw new TypeError(`Agent "${agent.name}" does not run by itself: give the server a cogitator that runs it`);
  };
  if (isList(agents)) return agents.map(running);
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, running(agent)]));
}

function isList(agents: A2AServerConfig['agents']): agents is readonly (Agent | IAgent)[] {
  return Array.isArray(agents);
}
