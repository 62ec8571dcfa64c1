import { isPlainObject, type JsonObject } from '../basics/json.ts';
import { PRIORITIES, type Priority } from '../operations.ts';

/** Calls between agents: what a message says of the chain that it is part of, and a task of the tasks it started. */
export const CALLS_EXTENSION = 'urn:parley:ext:calls:v1';

/** The chain of calls that led to a message, in its metadata under the extension's URI. */
export interface CallChain {
  /** The same for all tasks of a tree: what the first caller calls it, or the id of the first task. */
  readonly trace: string;
  /** The agents on the way here, the first one first. */
  readonly hops: readonly string[];
  /** When the caller stops waiting, as ISO 8601. */
  readonly deadline?: string | undefined;
  /** The model turns left for the whole chain. */
  readonly maxTurns?: number | undefined;
  /** The priority of the whole chain, unless a message has its own. */
  readonly priority?: Priority | undefined;
  /** The address at which the caller serves its task; absent where it does not know its own address. */
  readonly caller?: string | undefined;
}

/** A task that another one has started, in the metadata of that one. */
export interface ChildTask {
  readonly taskId: string;
  /** The name on its card. */
  readonly agent: string;
  /** The address of the child's server; absent where it is the same one. */
  readonly url?: string | undefined;
  /** For the same server: the agent's place below the base of all of them, `/agents/NAME`. */
  readonly path?: string | undefined;
}

/** The most tasks that a task lists as started by it: the list is stored with each of its commits. */
export const MOST_CHILDREN = 500;

/** Reads the chain in a message's metadata; undefined where there is none or it is malformed. */
export function chainOf(metadata: JsonObject | undefined): CallChain | undefined {
  const value = metadata?.[CALLS_EXTENSION];
  if (!isPlainObject(value) || typeof value.trace !== 'string' || !Array.isArray(value.hops)) return undefined;
  const { trace, deadline, maxTurns, caller } = value;
  const priority = PRIORITIES.find((known) => known === value.priority);
  const hops = value.hops.filter((hop): hop is string => typeof hop === 'string');
  return {
    trace,
    hops,
    ...(typeof deadline === 'string' && !Number.isNaN(Date.parse(deadline)) && { deadline }),
    ...(typeof maxTurns === 'number' && Number.isInteger(maxTurns) && maxTurns >= 0 && { maxTurns }),
    ...(priority && { priority }),
    ...(typeof caller === 'string' && { caller }),
  };
}

/** The place of one of a server's agents below the base of all of them. */
export function agentPath(name: string): string {
  return `/agents/${encodeURIComponent(name)}`;
}

/** The tasks that a task has started, as its metadata tells. */
export function childrenOf(metadata: JsonObject | undefined): readonly ChildTask[] {
  const value = metadata?.[CALLS_EXTENSION];
  const children = isPlainObject(value) && Array.isArray(value.children) ? value.children : [];
  return children.filter(isPlainObject).flatMap(({ taskId, agent, url, path }) => {
    if (typeof taskId !== 'string' || typeof agent !== 'string') return [];
    const place = { ...(typeof url === 'string' && { url }), ...(typeof path === 'string' && { path }) };
    return [{ taskId, agent, ...place }];
  });
}
