import type { Agent } from '../../agent/agent.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import { ANONYMOUS, type Call, isAgentCaller } from '../../model/call.ts';
import type { Cards } from '../cards/cards.ts';
import { ExtensionHooks } from '../extensions/extension-hooks.ts';
import type { Interceptors } from '../intercept/interceptors.ts';
import type { ServerLimits } from '../limits/limits.ts';
import { AgentService } from '../operations/service.ts';
import type { Tenants } from '../operations/tenants.ts';
import type { A2AServerOptions } from '../options.ts';
import type { Push } from '../push/push.ts';
import type { Security } from './security.ts';

interface ServiceParts {
  readonly engine: Engine;
  readonly limits: ServerLimits;
  readonly interceptors: Interceptors;
  readonly cards: Cards;
  readonly log: Logger;
  readonly hopOf: (name: string) => string;
  readonly clock: Clock;
  readonly security: Security;
  readonly push: Push | undefined;
  readonly tenants: Tenants;
}

/** Makes the operations of an agent. */
export function agentServices(
  { anonymous, authorize }: A2AServerOptions,
  { engine, limits, interceptors, hopOf, clock, cards, security, tenants, push, log }: ServiceParts,
): (name: string, agent: Agent) => AgentService {
  const anonymousLists = ({ caller }: Call) =>
    anonymous === undefined ? caller.isLocal === true : anonymous === 'shared';
  return (name, agent) =>
    new AgentService({
      name,
      agent,
      engine,
      limits,
      push: push?.operations,
      tenants,
      anonymousLists,
      authorize,
      chainRules: { hop: () => hopOf(name), mostHops: limits.hops, now: () => clock.now() },
      shown: () => interceptors.transformOf(name),
      hooks: ExtensionHooks.of({ name, extensions: agent.extensions, log }),
      // A call from inside the process needs no proof.
      requireSkill: ({ caller }, message) => {
        if (caller !== ANONYMOUS && !isAgentCaller(caller)) security.of(name).requireSkill(caller, message);
      },
      extendedCard: ({ base = '', caller }, tenant) => {
        const whose = tenant === '' ? undefined : { name: tenant, isOwn: caller.tenant === tenant };
        return cards.extended(name, base, { ...caller, tenant }, whose);
      },
    });
}
