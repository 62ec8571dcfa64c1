import type { Agent } from '../../agent/agent.ts';
import type { Clock, Logger, Store } from '../../engine/ports.ts';
import type { SecurityScheme } from '../../model/card.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { AgentSecurity } from '../auth/guard/agent-security.ts';
import { Guard } from '../auth/guard/guard.ts';
import { authTools, OpenedAuthentication } from '../auth/guard/opened-authentication.ts';
import { RefusalLog } from '../auth/guard/refusal-log.ts';
import { ResourceMetadata } from '../auth/guard/resource-metadata.ts';
import { authenticationOf } from '../auth/guard/settings.ts';
import type { ResolvedCardSetting } from '../cards/card-setting.ts';
import type { Asked } from '../http/asked.ts';
import { FailedCredentials, failureLimitOf } from '../limits/failures/failed-credentials.ts';
import type { A2AServerOptions } from '../options.ts';

/** The parts of a server that tell who calls. */
export interface Security {
  /** The security of an agent, by its name. */
  readonly of: (name: string) => AgentSecurity;
  /** Changes when the schemes on cards do. */
  readonly revision: () => number;
  /** Undefined where everybody may call. */
  readonly guard: Guard | undefined;
  readonly resources: ResourceMetadata | undefined;
  readonly opened: OpenedAuthentication | undefined;
}

interface SecuritySurroundings {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly defaultAgent: string;
  readonly basePath: string;
  readonly pathOf: (name: string) => string;
  readonly card: ResolvedCardSetting;
  readonly log: Logger;
  readonly clock: Clock;
  readonly store: Store;
  /** Undefined where it is open. */
  readonly whenStoreOpen: () => Promise<void> | undefined;
}

/** Throws a TypeError where a card would ask for what the server cannot check. */
export function securityOf(options: A2AServerOptions, surroundings: SecuritySurroundings): Security {
  const { agents, defaultAgent, basePath, pathOf, card, log, clock, store, whenStoreOpen } = surroundings;
  const authentication = authenticationOf(options.auth);
  const securities = new Map(
    [...agents].map(([name, agent]) => [name, new AgentSecurity(name, agent, authentication, options.open === true)]),
  );
  const of = (name: string) => securities.get(name) as AgentSecurity;
  if (!authentication) {
    if (card.isGuarded) throw new TypeError("card.access 'guarded' needs auth, which tells who may read cards");
    return { of, revision: () => 0, guard: undefined, resources: undefined, opened: undefined };
  }
  const { authenticators } = authentication;
  const now = () => clock.now();
  const opened = new OpenedAuthentication(authentication, authTools({ log, now, store, whenStoreOpen }));
  const resources = new ResourceMetadata({
    authenticators,
    settings: options,
    agentPath: ({ route }: Asked) => {
      if (route?.kind !== 'operations') return '';
      return route.agent !== undefined && agents.has(route.agent) ? pathOf(route.agent) : basePath;
    },
    paths: [basePath, ...[...agents.keys()].map(pathOf)],
    scopes: () => [...new Set([...securities.values()].flatMap((security) => security.scopes))],
    maxAge: card.maxAge,
  });
  const { trustProxy = false, limits = {} } = options;
  const failures = failureLimitOf(limits.failedCredentials);
  const guard = new Guard({
    opened,
    resources,
    refusals: new RefusalLog(log, clock),
    failures: failures && new FailedCredentials(failures, { places: authenticators, trustProxy, clock, log }),
    securityOf: ({ route }) => {
      return route?.kind === 'operations' ? securities.get(route.agent ?? defaultAgent) : undefined;
    },
  });
  return { of, revision: revisionsOf(authenticators), guard, resources, opened };
}

/** An authenticator may learn only from its issuer which scheme it has. */
function revisionsOf(authenticators: readonly Authenticator[]): () => number {
  let schemes: readonly SecurityScheme[] = authenticators.map(({ scheme }) => scheme);
  let revision = 0;
  return () => {
    if (authenticators.some(({ scheme }, index) => scheme !== schemes[index])) {
      schemes = authenticators.map(({ scheme }) => scheme);
      revision += 1;
    }
    return revision;
  };
}
