import type { ServerResponse } from 'node:http';
import { A2AClient, type AgentCard } from 'parley-a2a';
import { type Handler, hostileServer } from '../../calling/support/hostile-server.ts';

type Binding = 'JSONRPC' | 'HTTP+JSON';

/** A client of a server that answers as the servers of other SDKs do. */
export async function clientOf(handler: Handler, binding: Binding): Promise<A2AClient> {
  const card: AgentCard = {
    name: 'other',
    description: 'Of another SDK',
    version: '1',
    interfaces: [{ url: await hostileServer(handler), protocolBinding: binding, protocolVersion: '0.3' }],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  return A2AClient.connect(card);
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
