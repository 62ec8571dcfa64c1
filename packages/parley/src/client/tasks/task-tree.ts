import { type A2AError, isA2AError } from '../../model/errors/errors.ts';
import { agentPath, type ChildTask, chainOf, childrenOf } from '../../model/extensions/calls.ts';
import type { Task } from '../../model/task.ts';
import type { A2AClient } from '../client.ts';
import type { CallOptions } from '../options.ts';

/** Why a task of a tree is not there. */
export interface MissingTask {
  /**
   * `unreachable`: its agent does not answer, or does not know it. `repeated`: it is in the tree already. `limit`: the tree
   * is too deep or too large. `not-followed`: `connect` returned no client.
   */
  readonly reason: 'unreachable' | 'repeated' | 'limit' | 'not-followed';
  readonly message: string;
  readonly error?: A2AError | undefined;
}

export interface TaskNode {
  readonly taskId: string;
  /** The name on the agent's card; where it was not reached, as its caller knows it. */
  readonly agent: string;
  /** The address it was asked for at. */
  readonly url: string | undefined;
  readonly task: Task | undefined;
  readonly missing: MissingTask | undefined;
  /** The tasks that it has started, in that order. */
  readonly children: readonly TaskNode[];
}

export interface TaskTree extends TaskNode {
  readonly task: Task;
  /** The tasks that led to this one, the first of them first; of their children only those on the way are looked at. */
  readonly parents: readonly TaskNode[];
}

export interface TaskTreeOptions extends CallOptions {
  /** The most levels up and down. Default 10. */
  readonly depth?: number | undefined;
  /** The most tasks in all. Default 500. */
  readonly tasks?: number | undefined;
  /**
   * Returns a client for the agent at an address, or undefined to leave it out. Addresses come from the tasks, so check
   * them here if you do not trust the agents. Default: `client.at(url)`.
   */
  readonly connect?: ((url: string) => A2AClient | undefined) | undefined;
}

type TreeClient = Pick<A2AClient, 'at' | 'card' | 'getTask' | 'interface'>;
type Growing<T> = { -readonly [Name in keyof T]: T[Name] };

interface Draft extends Growing<Omit<TaskNode, 'children'>> {
  readonly children: Draft[];
}

/** A task that is known by name, and from where it was heard of. */
interface Place {
  readonly node: Draft;
  readonly depth: number;
}

const DEPTH = 10;
const TASKS = 500;
const AT_ONCE = 8;

/**
 * A task with the tasks that it has started, theirs, and those that led to it, on whatever servers they are. Throws where
 * the task itself cannot be had; what else cannot be had is in the tree as missing.
 */
export async function taskTree(client: TreeClient, taskId: string, options: TaskTreeOptions = {}): Promise<TaskTree> {
  const { depth = DEPTH, tasks = TASKS, connect = (url: string) => client.at(url), ...call } = options;
  const task = await client.getTask(taskId, call);
  const reader = new TreeReader(client, call, connect);
  const root = draft(taskId, client.card?.name ?? '', client.interface?.url);
  root.task = task;
  reader.isNew(root);
  const parents: Draft[] = [];
  for (let node = parentOf(root); node && parents.length < depth; node = parentOf(node)) {
    await reader.read(node);
    parents.unshift(node);
  }
  let count = 1 + parents.length;
  const waiting: Place[] = offspring(root, 1);
  while (waiting.length > 0) {
    const batch = waiting.splice(0, AT_ONCE);
    await Promise.all(
      batch.map(({ node, depth: level }) => {
        count += 1;
        return level > depth || count > tasks ? reader.leave(node) : reader.read(node);
      }),
    );
    for (const { node, depth: level } of batch) waiting.push(...offspring(node, level + 1));
  }
  return { ...root, task, parents };
}

class TreeReader {
  readonly #home: string;
  readonly #call: CallOptions;
  readonly #connect: (url: string) => A2AClient | undefined;
  readonly #clients = new Map<string, A2AClient | undefined>();
  readonly #seen = new Set<string>();

  constructor(client: TreeClient, call: CallOptions, connect: (url: string) => A2AClient | undefined) {
    this.#home = originOf(client.interface?.url) ?? '';
    this.#call = { ...call, tenant: call.tenant ?? client.interface?.tenant };
    this.#connect = connect;
  }

  isNew({ url, taskId }: Draft): boolean {
    const key = `${originOf(url)} ${taskId}`;
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  async leave(node: Draft): Promise<void> {
    node.missing = { reason: 'limit', message: 'The tree is not followed any further' };
  }

  async read(node: Draft): Promise<void> {
    const { url } = node;
    if (url === undefined || originOf(url) === undefined) {
      node.missing = { reason: 'unreachable', message: 'Nothing tells where it is' };
    } else if (!this.isNew(node)) {
      node.missing = { reason: 'repeated', message: 'It is in the tree already' };
    } else {
      await this.#ask(node, url);
    }
  }

  async #ask(node: Draft, url: string): Promise<void> {
    try {
      const client = this.#clientOf(url);
      if (!client) {
        node.missing = { reason: 'not-followed', message: `${url} is not to be asked` };
        return;
      }
      const { signal, timeout } = this.#call;
      const call = originOf(url) === this.#home ? this.#call : { signal, timeout };
      node.task = await client.getTask(node.taskId, call);
      node.agent = client.card?.name ?? node.agent;
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      if (!isA2AError(error)) throw error;
      node.missing = { reason: 'unreachable', message: error.message, error };
    }
  }

  /** Agents are asked for more than one task; their cards need not be. */
  #clientOf(url: string): A2AClient | undefined {
    if (!this.#clients.has(url)) this.#clients.set(url, this.#connect(url));
    return this.#clients.get(url);
  }
}

function draft(taskId: string, agent: string, url: string | undefined): Draft {
  return { taskId, agent, url, task: undefined, missing: undefined, children: [] };
}

function offspring(node: Draft, depth: number): Place[] {
  for (const child of childrenOf(node.task?.metadata)) {
    node.children.push(draft(child.taskId, child.agent, addressOf(child, node.url)));
  }
  return node.children.map((child) => ({ node: child, depth }));
}

/** Finds the task of the agent that asked for this one. */
function parentOf({ task, url }: Draft): Draft | undefined {
  const asked = task?.history.find(({ role }) => role === 'user');
  const chain = chainOf(asked?.metadata);
  const taskId = asked?.referenceTaskIds?.[0];
  const hop = chain?.hops.at(-1);
  if (!chain || taskId === undefined || hop === undefined) return undefined;
  const name = hop.slice(hop.indexOf('/') + 1);
  return draft(taskId, name, chain.caller ?? siblingOf(url, agentPath(name)));
}

function addressOf({ url, path, agent }: ChildTask, parent: string | undefined): string | undefined {
  return url ?? siblingOf(parent, path !== undefined && AGENT_PATH.test(path) ? path : agentPath(agent));
}

const AGENT_PATH = /^\/agents\/[^/?#]+$/;

/** Another agent of the same server: all are below one base, where the default one is as well. */
function siblingOf(url: string | undefined, path: string): string | undefined {
  const sibling = url === undefined ? null : URL.parse(url);
  if (!sibling) return undefined;
  sibling.pathname = sibling.pathname.replace(/\/agents\/[^/]+\/?$/, '').replace(/(?<!\/)\/+$/, '') + path;
  return sibling.href;
}

/** Undefined for what is no address on the web. */
function originOf(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
}
