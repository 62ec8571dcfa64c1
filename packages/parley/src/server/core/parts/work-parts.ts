import type { Engine } from '../../../engine/engine.ts';
import type { Store } from '../../../engine/ports.ts';
import { memory } from '../../../stores/memory.ts';
import { type LocalResponder, localClient } from '../../calls/local-client.ts';
import { SubAgents } from '../../calls/sub-agents.ts';
import { EventFollower } from '../../follow/event-follower.ts';
import type { A2AServerOptions } from '../../options.ts';
import { linkFetcher } from '../../outbound/link-fetcher.ts';
import { ServerOutbound } from '../../outbound/server-outbound.ts';
import type { Basis } from './basis.ts';
import { engineOf } from './engine-parts.ts';

/** The parts that run agents and keep their tasks. */
export interface WorkParts {
  readonly engine: Engine;
  readonly subAgents: Pick<SubAgents, 'close'>;
  /** As it was handed in. */
  readonly keptIn: Store;
  /** As the engine meets it. */
  readonly store: Store;
  readonly outbound: ServerOutbound;
  /** Tells of committed events. */
  readonly events: EventFollower;
}

/** `respondLocally`: responds to a call of one of the server's agents to another. */
export function workPartsOf(options: A2AServerOptions, basis: Basis, respondLocally: LocalResponder): WorkParts {
  const { agents, pathOf, hopOf, interceptors, clock, log } = basis;
  const subAgents = new SubAgents({
    agents,
    hopOf,
    localClient: (agent, name, owner) => localClient(agent, pathOf(name), owner, respondLocally),
    urlOf: (name) => (options.url ? `${options.url.replace(/(?<!\/)\/+$/, '')}${pathOf(name)}` : undefined),
    now: () => clock.now(),
    interceptors,
  });
  const outbound = new ServerOutbound(options);
  const keptIn = options.store ?? memory();
  const engine = engineOf(options, { ...basis, store: keptIn, subAgents, fetchLink: linkFetcher(outbound.guard) });
  const events = new EventFollower({ log, clock, followCommits: (follower) => engine.followCommits(follower) });
  return { engine, subAgents, keptIn, store: engine.membership.store, outbound, events };
}
