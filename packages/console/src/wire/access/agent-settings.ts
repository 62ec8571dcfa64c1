import type { Credential } from 'parley-a2a/client';
import { grantedSecrets } from './login.ts';

/** How this page talks to one agent, as the person has chosen. */
export interface AgentSettings {
  /** A protocol instead of what the card says. */
  readonly protocol?: string | undefined;
  /** A binding instead of the agent's first, as cards name it. */
  readonly binding?: string | undefined;
  /** Sent with every request to the agent. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Tokens, keys and passwords by the names of the card's schemes. */
  readonly credentials?: Readonly<Record<string, Credential>> | undefined;
}

const PREFIX = 'parley.agent.';
const NONE: AgentSettings = {};
const known = new Map<string, AgentSettings>();
const listeners = new Set<() => void>();

/** The settings for the agent at an address; the same object until they change. */
export function agentSettings(url: string): AgentSettings {
  const held = known.get(url);
  if (held) return held;
  const settings = stored(url);
  known.set(url, settings);
  return settings;
}

/** Headers and credentials stay in the memory of the page; the window remembers the rest. */
export function changeAgentSettings(url: string, change: AgentSettings): void {
  const settings = { ...agentSettings(url), ...change };
  known.set(url, settings);
  const { protocol, binding } = settings;
  try {
    if (protocol === undefined && binding === undefined) sessionStorage.removeItem(PREFIX + url);
    else sessionStorage.setItem(PREFIX + url, JSON.stringify({ protocol, binding }));
  } catch {
    // Storage is off or full: the settings last until the page is left.
  }
  for (const listener of listeners) listener();
}

export function onAgentSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function stored(url: string): AgentSettings {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(PREFIX + url) ?? 'null');
    if (typeof value !== 'object' || value === null) return NONE;
    const { protocol, binding } = value as AgentSettings;
    return { protocol, binding };
  } catch {
    return NONE;
  }
}

/** The values that must not be shown: headers and credentials that the person typed, and tokens that were granted. */
export function secretValues(url: string | undefined): readonly string[] {
  if (url === undefined) return [];
  const { headers = {}, credentials = {} } = agentSettings(url);
  return [...Object.values(headers), ...Object.values(credentials).flatMap(secretsIn), ...grantedSecrets(url)];
}

function secretsIn(credential: Credential): readonly string[] {
  if (typeof credential === 'string') return [credential];
  return 'password' in credential ? [credential.password] : [credential.clientSecret];
}
