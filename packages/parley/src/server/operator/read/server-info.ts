import type { Agent } from '../../../agent/agent.ts';
import { isoTime } from '../../../model/basics/timestamps.ts';
import type { SecurityScheme } from '../../../model/card.ts';
import type { AgentInfo, RelayReach, ServerInfo } from '../console-api.ts';
import type { OperatorResource } from '../operator-routes.ts';

interface ServerInfoOptions extends Pick<ServerInfo, 'basePath' | 'store' | 'retention'> {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly defaultAgent: string;
  readonly pathOf: (name: string) => string;
  readonly node: () => string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  /** Undefined where everybody may call. */
  readonly schemes: (() => readonly SecurityScheme[]) | undefined;
  readonly hasPush: boolean;
  readonly console: { readonly relay: () => RelayReach; readonly tracingUrl: string | undefined } | undefined;
}

/** Tells what this server is. */
export function serverInfo(options: ServerInfoOptions): OperatorResource {
  const { basePath, store, retention, startedAt, node, schemes, hasPush, console } = options;
  return {
    method: 'GET',
    respond: async (): Promise<ServerInfo> => ({
      version: await ownVersion(),
      node: node(),
      startedAt: isoTime(startedAt),
      basePath,
      agents: agentInfos(options),
      store,
      auth: { isOn: schemes !== undefined, schemes: schemes?.().map(({ type }) => type) ?? [] },
      features: {
        push: hasPush,
        console: console !== undefined,
        relay: console?.relay(),
        tracingUrl: console?.tracingUrl,
      },
      retention,
    }),
  };
}

function agentInfos({ agents, defaultAgent, pathOf }: ServerInfoOptions): readonly AgentInfo[] {
  return [...agents].map(([name, { description, version, resumable }]) => ({
    name,
    description,
    version,
    path: pathOf(name),
    isDefault: name === defaultAgent,
    isResumable: resumable === true,
  }));
}

/** Runtimes without files do not know it. */
async function ownVersion(): Promise<string> {
  try {
    return (await import('../node/package-version.ts')).packageVersion();
  } catch {
    return '';
  }
}
