import type { AgentInfo, ServerInfo } from '../../../parley/src/server/operator/console-api.ts';
import { BASE_PATH, getOperator } from './operator.ts';
import { type QueryResult, useQuery } from './use-query.ts';

export type { AgentInfo, ServerInfo };

/** What this server is: its agents, its store, what it can do. */
export function useServerInfo(): QueryResult<ServerInfo> {
  return useQuery('server', (signal) => getOperator<ServerInfo>('server', {}, signal));
}

/** The address of an agent of this server. */
export function agentUrl(name: string): string {
  return new URL(`${BASE_PATH}/agents/${encodeURIComponent(name)}`, location.origin).href;
}
