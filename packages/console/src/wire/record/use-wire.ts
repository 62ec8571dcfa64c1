import { useSyncExternalStore } from 'react';
import { type AgentSettings, agentSettings, onAgentSettings } from '../access/agent-settings.ts';
import type { WireExchange } from './exchange.ts';
import { line, wireLog } from './wire.ts';

/** The exchanges of this page; the component is rendered again after each change of them. */
export function useExchanges(): readonly WireExchange[] {
  useSyncExternalStore(wireLog.subscribe, wireLog.version);
  return wireLog.exchanges();
}

export function useConnected(): boolean {
  return useSyncExternalStore(line.subscribe, line.isConnected);
}

export function useAgentSettings(url: string): AgentSettings {
  return useSyncExternalStore(onAgentSettings, () => agentSettings(url));
}
