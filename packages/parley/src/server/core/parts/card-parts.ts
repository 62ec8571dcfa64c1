import type { Clock, Logger } from '../../../engine/ports.ts';
import type { Caller } from '../../../model/call.ts';
import { CardResponses } from '../../cards/card-responses.ts';
import { Cards, type CardsOptions } from '../../cards/cards.ts';
import { varyingHeaders } from '../../cards/varying-headers.ts';
import { OwnHosts } from '../../http/door/own-hosts.ts';
import type { A2AServerOptions } from '../../options.ts';
import type { Push } from '../../push/push.ts';
import { AgentCatalog } from '../../well-known/agent-catalog.ts';
import type { GrpcAddress } from '../grpc-address.ts';
import type { Security } from '../security.ts';

type OwnParts =
  | 'tenants'
  | 'responses'
  | 'tenantResponses'
  | 'vouchesFor'
  | 'securityOf'
  | 'revision'
  | 'push'
  | 'grpcAt';

interface CardSurroundings extends Omit<CardsOptions, OwnParts> {
  readonly security: Security;
  readonly push: Push | undefined;
  readonly grpcAddress: GrpcAddress;
  /** Cards are for callers with valid credentials alone. */
  readonly isGuarded: boolean;
  /** Seconds for which clients may cache a card. */
  readonly maxAge: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The parts that describe a server's agents. */
export interface CardParts {
  readonly cards: Cards;
  readonly catalog: AgentCatalog;
  /** Tells whether lists of agents show one of them to a caller. */
  readonly showsAgent: (name: string, caller: Caller) => boolean;
}

/** Throws a TypeError for an agent whose card cannot be published. */
export function cardParts(
  options: A2AServerOptions,
  { security, push, grpcAddress, clock, log, isGuarded, maxAge, ...parts }: CardSurroundings,
): CardParts {
  const cardResponses = (isForKnownCallers: boolean) => {
    const { url, trustProxy } = options;
    const schemes = security.opened?.authentication.authenticators.map(({ scheme }) => scheme);
    const variesBy = varyingHeaders({ url, trustProxy, schemes: isForKnownCallers ? schemes : undefined });
    return new CardResponses({ maxAge, madeAt: new Date(clock.now()), isGuarded: isForKnownCallers, variesBy });
  };
  const responses = cardResponses(isGuarded);
  const cards = new Cards({
    ...parts,
    // Callers who are told apart do not see the other tenants.
    tenants: Array.isArray(options.tenants) && !security.guard ? options.tenants : [],
    responses,
    tenantResponses: cardResponses(security.guard !== undefined),
    vouchesFor: vouchingFor(options, log),
    securityOf: (name) => security.of(name).declared,
    revision: () => `${security.revision()} ${push?.revision() ?? ''} ${grpcAddress.port ?? ''}`,
    grpcAt: (base) => grpcAddress.at(base),
    push: (base) => push?.card(base),
  });
  cards.check();
  const { agents, pathOf } = parts;
  for (const [name, agent] of agents) {
    if (agent.extendedCard === undefined || security.guard) continue;
    log.warn('The extended card of an agent is for known callers, and nobody is one without auth: no client gets it', {
      agent: name,
    });
  }
  return {
    cards,
    catalog: new AgentCatalog({ agents, pathOf, responses }),
    showsAgent: (name, caller) => !isGuarded || security.of(name).admits(caller),
  };
}

/** Recognises the addresses that are the server's own: by its `url`, or by a name in `hosts`, or on this machine. */
function vouchingFor({ url, hosts }: A2AServerOptions, log: Logger): (base: string) => boolean {
  if (url !== undefined) return () => true;
  const own = new OwnHosts({ hosts });
  let isTold = false;
  return (base) => {
    const isOwn = own.lists(URL.parse(base)?.host ?? '');
    if (!isOwn && !isTold) {
      isTold = true;
      log.warn('A card is not signed, as the server does not know the name that it was asked by: set url or hosts', {
        base,
      });
    }
    return isOwn;
  };
}
