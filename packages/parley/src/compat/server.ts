import { A2AServer as Server } from '../a2a-server.ts';
import type { Agent } from '../agent/agent.ts';
import { invalidRequest, JsonRpcException, unsupportedOperation } from '../bindings/jsonrpc/error-objects.ts';
import type { JsonRpcResponse } from '../bindings/jsonrpc/messages.ts';
import { type A2AStreamEvent, type AgentCard, cogitator, STREAM_METHOD } from '../dialects/cogitator.ts';
import { isStreamOperation } from '../model/operations.ts';
import type { JsonRpcCallOptions } from '../server/core/json-rpc-calls.ts';
import type { A2AServerOptions } from '../server/options.ts';
import { type A2AServerConfig, serverOptionsOf } from './config.ts';
import type { IAgent } from './foreign-agent.ts';
import { generateAgentCard } from './generate-card.ts';
import { parseJsonRpcRequest } from './parsing.ts';

/** The details of a call beside its body. */
type CallOptions = Pick<JsonRpcCallOptions, 'agent'>;

/**
 * The server of the seed S3: requests and responses have the document's spellings, by its methods and over HTTP at its
 * base path. Other dialects are spoken at other mounts.
 */
export class A2AServer extends Server {
  readonly #agents: ReadonlyMap<string, Agent | IAgent>;

  constructor(config: A2AServerConfig | A2AServerOptions) {
    super(withOwnMount(serverOptionsOf(config)));
    const { agents } = config;
    const named = Array.isArray(agents)
      ? (agents as readonly (Agent | IAgent)[]).map((agent) => [agent.name, agent] as const)
      : Object.entries(agents);
    this.#agents = new Map(named);
  }

  override handleJsonRpc(body: unknown, { agent }: CallOptions = {}): Promise<JsonRpcResponse> {
    return super.handleJsonRpc(body, { agent });
  }

  /** A plain send streams, too; what cannot stream is refused. */
  override async *handleJsonRpcStream(
    body: unknown,
    { agent }: CallOptions = {},
  ): AsyncGenerator<A2AStreamEvent, void, undefined> {
    const request = parseJsonRpcRequest(body);
    if (Array.isArray(request)) throw new JsonRpcException(invalidRequest());
    const isSend = cogitator.methods.get(request.method) === 'sendMessage';
    const streaming = isSend ? { ...request, method: STREAM_METHOD } : request;
    const operation = cogitator.methods.get(streaming.method);
    if (operation && !isStreamOperation(operation)) throw new JsonRpcException(unsupportedOperation(request.method));
    yield* super.handleJsonRpcStream(streaming, { agent }) as AsyncGenerator<A2AStreamEvent, void, undefined>;
  }

  /** The card of an agent, by its name in the address; that of the default agent without a name. */
  override getAgentCard(agentName?: string): AgentCard {
    const agent = this.#agents.get(agentName ?? this.agentNames[0] ?? '');
    // The server itself knows best how to refuse a name.
    if (!agent) return super.getAgentCard(agentName) as AgentCard;
    return generateAgentCard(agent, { url: this.addressOf(agentName) });
  }

  override getAgentCards(): AgentCard[] {
    return super.getAgentCards() as AgentCard[];
  }
}

/** The base path speaks as the document does, unless a mount there says otherwise. */
function withOwnMount(config: A2AServerOptions): A2AServerOptions {
  const path = config.basePath ?? '/a2a';
  const others = config.mounts ?? [];
  const isTaken = others.some((mount) => mount.path === path);
  return { ...config, mounts: isTaken ? others : [{ path, dialect: 'cogitator' }, ...others] };
}
