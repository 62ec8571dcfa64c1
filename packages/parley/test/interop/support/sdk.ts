import type { AgentCard } from '@a2a-js/sdk';
import {
  type Client,
  type ClientConfig,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import type { A2AServer, A2AServerOptions, Agent } from 'parley-a2a';
import { startServer, type Wire } from '../../support/rpc.ts';
import type { Row, Version } from './rows.ts';

export type Fetch = typeof fetch;

/** One request of the client and the head of its answer. */
export interface Exchange {
  readonly verb: string;
  readonly url: URL;
  readonly sent: Headers;
  readonly status: number;
  readonly received: Headers;
}

export interface ConnectOptions {
  /** The name in the agent's address; the default agent if left out. */
  readonly agent?: string;
  readonly config?: ClientConfig;
  /** Another card than the one that was fetched, as if the server had published it. */
  readonly alter?: (card: AgentCard) => AgentCard;
  readonly fetch?: Fetch;
}

export interface Connection {
  readonly client: Client;
  readonly card: AgentCard;
  /** What went over HTTP, cards left out. */
  readonly wire: Exchange[];
}

const COMPATIBLE = { legacyCompat: { enabled: true } };

/**
 * The SDK's reader of cards. It announces 1.0 with every request and leaves no choice, so the header is put right on its
 * way; `none` takes it away.
 */
export function cardResolver(version: Version | 'none'): DefaultAgentCardResolver {
  const fetchCard: Fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('a2a-version');
    if (version !== 'none') headers.set('a2a-version', version);
    return fetch(input, { ...init, headers });
  };
  return new DefaultAgentCardResolver({ ...COMPATIBLE, fetchImpl: fetchCard });
}

/** The SDK's client for a server that listens, in the version and the binding of the row. */
export async function connect(
  server: Pick<A2AServer, 'url'>,
  row: Row,
  options: ConnectOptions = {},
): Promise<Connection> {
  const wire: Exchange[] = [];
  const fetchImpl = recorded(wire, options.fetch ?? fetch);
  const resolver = cardResolver(row.version);
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ ...COMPATIBLE, fetchImpl }),
      new RestTransportFactory({ ...COMPATIBLE, fetchImpl }),
      ...(row.binding === 'GRPC' ? [new GrpcTransportFactory(COMPATIBLE)] : []),
    ],
    preferredTransports: [row.binding],
    cardResolver: resolver,
    ...(options.config && { clientConfig: options.config }),
  });
  const fetched = await resolver.resolve(addressOf(server), cardPath(options.agent));
  const card = options.alter?.(fetched) ?? fetched;
  return { client: await factory.createFromAgentCard(card), card, wire };
}

export interface Served extends Connection {
  readonly server: A2AServer;
  readonly logged: Wire[];
  /** A further client of the same server. */
  readonly connect: (options?: ConnectOptions) => Promise<Connection>;
}

/** A server on a free port, and a client of it. */
export async function served(
  row: Row,
  agents: Agent | readonly Agent[],
  options: Partial<A2AServerOptions> = {},
  clientOptions: ConnectOptions = {},
): Promise<Served> {
  const grpc = row.binding === 'GRPC' ? { port: 0 } : undefined;
  const { server, logged } = await listening(agents, { grpc, ...options });
  const connectAgain = (more: ConnectOptions = {}) => connect(server, row, more);
  return { server, logged, connect: connectAgain, ...(await connectAgain(clientOptions)) };
}

/** A server on a free port. */
export async function listening(
  agents: Agent | readonly Agent[],
  options: Partial<A2AServerOptions> = {},
): Promise<{ readonly server: A2AServer; readonly logged: Wire[] }> {
  const { server, logged } = startServer(agents, options);
  await server.listen({ port: 0 });
  return { server, logged };
}

export function addressOf(server: Pick<A2AServer, 'url'>): string {
  if (server.url === undefined) throw new Error('The server does not listen');
  return server.url;
}

export function cardPath(agent: string | undefined): string {
  const card = '.well-known/agent-card.json';
  return agent === undefined ? `/${card}` : `/a2a/agents/${agent}/${card}`;
}

function recorded(wire: Exchange[], send: Fetch): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await send(input, init);
    wire.push({
      verb: request.method,
      url: new URL(request.url),
      sent: request.headers,
      status: response.status,
      received: response.headers,
    });
    return response;
  };
}
