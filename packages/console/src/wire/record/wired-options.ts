import type { ClientOptions } from 'parley-a2a/client';
import { relayedAs, relayFetch } from '../../api/relay.ts';
import { type Fetch, isOwnOrigin, withAccess } from '../../api/transport.ts';
import { agentSettings } from '../access/agent-settings.ts';
import { loginFor } from '../access/login.ts';
import { EVERY_DIALECT } from './client-values.ts';
import { line, recorder } from './wire.ts';

/** Agents of other origins are reached through the relay of this server. */
const carry: Fetch = (input, init) => (isOwnOrigin(input) ? line.fetch(input, init) : relayFetch(input, init));

/** The options of a client of this page whose traffic is recorded, as the person has set it for this agent. */
export function wiredOptions(url: string, chosen: Pick<ClientOptions, 'protocol' | 'prefer'> = chosenFor(url)) {
  const target = { url, protocol: chosen.protocol, binding: chosen.prefer?.binding };
  const { fetch, interceptors } = recorder.forClient(target, carry, relayedAs);
  return {
    ...EVERY_DIALECT,
    ...chosen,
    interceptors,
    fetch: withAccess(fetch),
    headers: () => agentSettings(url).headers ?? {},
    credentials: (request) => agentSettings(url).credentials?.[request.name] ?? loginFor(url)?.(request),
  } satisfies ClientOptions;
}

/** For other requests on behalf of an agent's client, such as those for a token. */
export function wiredFetch(url: string): Fetch {
  return withAccess(recorder.forClient({ url }, carry, relayedAs).fetch);
}

/** What tells clients with different protocols apart. */
export function chosenKey(url: string): string {
  const { protocol = '', binding = '' } = agentSettings(url);
  return `${url} ${protocol} ${binding}`;
}

function chosenFor(url: string): Pick<ClientOptions, 'protocol' | 'prefer'> {
  const { protocol, binding } = agentSettings(url);
  return { protocol, prefer: { binding } };
}
