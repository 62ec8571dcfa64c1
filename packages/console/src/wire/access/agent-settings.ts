import type { Credential } from 'parley-a2a/client';

/** How this page talks to one agent, as the person has chosen; kept for this window alone. */
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

export function changeAgentSettings(url: string, change: AgentSettings): void {
  const settings = { ...agentSettings(url), ...change };
  known.set(url, settings);
  try {
    sessionStorage.setItem(PREFIX + url, JSON.stringify(settings));
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
    return typeof value === 'object' && value !== null ? (value as AgentSettings) : NONE;
  } catch {
    return NONE;
  }
}

/** The values that must not be shown: those of headers and credentials that the person typed. */
export function secretValues(url: string | undefined): readonly string[] {
  if (url === undefined) return [];
  const { headers = {}, credentials = {} } = agentSettings(url);
  return [...Object.values(headers), ...Object.values(credentials).flatMap(secretsIn)];
}

function secretsIn(credential: Credential): readonly string[] {
  if (typeof credential === 'string') return [credential];
  return 'password' in credential ? [credential.password] : [credential.clientSecret];
}
