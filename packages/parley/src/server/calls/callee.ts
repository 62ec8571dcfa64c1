import type { Agent } from '../../agent/agent.ts';
import type { AgentCallOptions, CallTarget } from '../../agent/calls.ts';
import type { A2AClient } from '../../client/client.ts';
import { A2AClient as EveryDialectClient } from '../../client/every-dialect-client.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { agentPath, type ChildTask } from '../../model/extensions/calls.ts';
import { shown } from '../../model/options/checks.ts';

/** The called agent. */
export interface Callee {
  readonly client: A2AClient;
  /** Set for an agent of this server: the name under which it is hosted. */
  readonly hostedAs?: string | undefined;
}

export interface CalleeOptions {
  readonly agents: ReadonlyMap<string, Agent>;
  /** A client of one of this server's agents. */
  readonly localClient: (agent: Agent, name: string) => A2AClient;
}

/** Finds out who is meant by the target of a call. */
export function calleeOf(
  target: CallTarget,
  { agents, localClient }: CalleeOptions,
  options: AgentCallOptions,
): Callee {
  if (isClient(target)) return { client: target };
  if (typeof target === 'string' || target instanceof URL || isCard(target)) {
    return { client: new EveryDialectClient(target, options.client) };
  }
  if (!isPlainObject(target)) {
    const hint = target === undefined ? ': modules that import each other in a circle find nothing' : '';
    throw new TypeError(
      `task.call takes an agent of this server, an address, a card or a client, not ${shown(target)}${hint}`,
    );
  }
  const hostedAs = [...agents].find(([, agent]) => agent === target)?.[0];
  if (hostedAs === undefined) throw new TypeError(`The agent "${target.name}" is not one of this server's`);
  return { client: localClient(target, hostedAs), hostedAs };
}

export function addressOf(target: CallTarget): string | undefined {
  return typeof target === 'string' || target instanceof URL ? String(target) : undefined;
}

/** The callee as the metadata of a task names it. */
export function identityOf({ client, hostedAs }: Callee): Pick<ChildTask, 'agent' | 'url' | 'path'> {
  const agent = client.card?.name ?? '';
  if (hostedAs !== undefined) return { agent, path: agentPath(hostedAs) };
  const url = client.interface?.url;
  return url === undefined ? { agent } : { agent, url };
}

const OF_CLIENTS = ['agentCard', 'sendMessageStream', 'subscribe', 'getTask', 'cancelTask'] as const;

/** A client of any copy of this package: `instanceof` fails for those of another. */
export function isClient(target: CallTarget): target is A2AClient {
  return isPlainObject(target) && OF_CLIENTS.every((name) => typeof target[name] === 'function');
}

function isCard(target: CallTarget): target is Exclude<CallTarget, Agent | A2AClient | string | URL> {
  return isPlainObject(target) && !('run' in target);
}
