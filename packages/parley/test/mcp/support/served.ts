import { A2AClient, A2AServer, type A2AServerOptions, type Agent } from 'parley-a2a';
import type { AgentPlace } from '../../../src/bridges/mcp/serving/agents/roster.ts';
import { AGENTS } from './agents.ts';

/** Agents that fail on purpose are in nobody's log. */
const SILENT = { error: () => {}, warn: () => {} };

/** Agents without a socket: the places that a bridge is given. */
export function placesOf(
  agents: readonly Agent[] = AGENTS,
  options: Partial<A2AServerOptions> = {},
): { readonly server: A2AServer; readonly places: readonly AgentPlace[] } {
  const server = new A2AServer({ agents: [...agents], anonymous: 'shared', log: SILENT, ...options });
  const places = agents.map(({ name }) => {
    const url = `http://localhost/a2a/agents/${name}`;
    return { url, client: new A2AClient(url, { fetch: (at, init) => server.fetch(new Request(at, init)) }) };
  });
  return { server, places };
}
