import { A2AClient, cardFaults } from 'parley-a2a/client';
import { chosenKey, wiredOptions } from '../wire/record/wired-options.ts';
import { noteReconnect } from './reconnects.ts';
import { agentUrl } from './server-info.ts';

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

const clients = new Map<string, A2AClient>();

/** The client of an agent; one for each, and for each protocol that is chosen for it, so that its card is read once. */
export function clientFor(target: AgentTarget): A2AClient {
  const url = urlOf(target);
  const key = chosenKey(url);
  const known = clients.get(key);
  if (known !== undefined) return known;
  // A server that is restarted comes back within minutes: a page that is open waits for it.
  const client = new A2AClient(url, {
    ...wiredOptions(url),
    reconnect: { attempts: 60, longestDelay: 5_000 },
    onReconnect: noteReconnect,
    checkCard: cardFaults,
  });
  clients.set(key, client);
  return client;
}
