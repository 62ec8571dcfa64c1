import { A2AClient, cardFaults } from 'parley-a2a/client';
import { noteReconnect } from './reconnects.ts';
import { relayFetch } from './relay.ts';
import { agentUrl } from './server-info.ts';
import { type Fetch, ownFetch } from './transport.ts';

/** An agent of this server by its name, or an outside one by its address. */
export type AgentTarget =
  | { readonly kind: 'own'; readonly name: string }
  | { readonly kind: 'outside'; readonly url: string };

/** The agent in one piece of a path: `/talk/:agent`. Names have no `:`, so an address is told from them. */
export function targetOf(segment: string): AgentTarget {
  return segment.includes(':') ? { kind: 'outside', url: segment } : { kind: 'own', name: segment };
}

export function segmentOf(target: AgentTarget): string {
  return encodeURIComponent(target.kind === 'own' ? target.name : target.url);
}

export function urlOf(target: AgentTarget): string {
  return target.kind === 'own' ? agentUrl(target.name) : target.url;
}

/** How requests reach the agent: straight, or through the relay of this server. */
export function fetchFor(target: AgentTarget): Fetch {
  return target.kind === 'own' ? ownFetch : relayFetch;
}

const clients = new Map<string, A2AClient>();

/** The client of an agent; one for each, so that its card is read once. */
export function clientFor(target: AgentTarget): A2AClient {
  const url = urlOf(target);
  const known = clients.get(url);
  if (known !== undefined) return known;
  // A server that is restarted comes back within minutes: a page that is open waits for it.
  const client = new A2AClient(url, {
    fetch: fetchFor(target),
    reconnect: { attempts: 60, maxDelay: 5_000 },
    onReconnect: noteReconnect,
    checkCard: cardFaults,
  });
  clients.set(url, client);
  return client;
}
