import type { Agent } from '../../agent/agent.ts';
import type { BindingTable } from '../../bindings/binding-table.ts';
import type { DialectRegistry } from '../../dialects/registry.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import type { Authentication } from '../auth/combine.ts';
import type { LocalResponder } from '../calls/local-client.ts';
import type { Cards } from '../cards/cards.ts';
import type { EventFollower } from '../follow/event-follower.ts';
import { HeldBodies } from '../http/held/held-bodies.ts';
import type { HeldResponses } from '../http/held/held-responses.ts';
import type { Pipeline } from '../http/pipeline.ts';
import type { Interceptors } from '../intercept/interceptors.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { ServerLimits } from '../limits/limits.ts';
import type { A2AServerOptions } from '../options.ts';
import type { ServerOutbound } from '../outbound/server-outbound.ts';
import { pushOf } from '../push/push.ts';
import type { ResolvedMount } from '../routing/mounts.ts';
import { OFFICIAL_CARD, type Router } from '../routing/router.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { Draining } from './draining.ts';
import type { GrpcAddress } from './grpc-address.ts';
import { type Opened, Opening } from './opening.ts';
import { addressPartsOf } from './parts/address-parts.ts';
import { basisOf } from './parts/basis.ts';
import { cardParts } from './parts/card-parts.ts';
import { requestPartsOf } from './parts/request-parts.ts';
import { signingPartsOf } from './parts/signing-parts.ts';
import { telemetryOf } from './parts/telemetry-parts.ts';
import { workPartsOf } from './parts/work-parts.ts';
import { securityOf } from './security.ts';

/** The parts that a core needs beside the options of users. */
interface Surroundings {
  /** Responds to a call of one of the server's agents to another. */
  readonly respondLocally: LocalResponder;
  /** The limits of the pipeline, in the order in which they are asked. */
  readonly limiters: readonly Limiter[];
}

/** The parts of a server, tied together. */
export interface Assembly {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly limits: ServerLimits;
  readonly bodies: HeldBodies;
  readonly responses: HeldResponses;
  readonly clock: Clock;
  readonly log: Logger;
  readonly engine: Engine;
  readonly opening: Opening;
  readonly draining: Draining;
  readonly interceptors: Interceptors;
  /** Tells of committed events. */
  readonly events: EventFollower;
  readonly cards: Cards;
  readonly dialects: DialectRegistry;
  readonly bindings: BindingTable;
  readonly router: Router;
  readonly pipeline: Pipeline;
  readonly basePath: string;
  readonly mounts: readonly ResolvedMount[];
  readonly outbound: ServerOutbound;
  readonly telemetry: Telemetry;
  readonly grpcAddress: GrpcAddress;
  /** Undefined where everybody may call. */
  readonly authentication: Authentication | undefined;
  /** Everybody may call on purpose. */
  readonly open: boolean;
  /** See ExposedServer. */
  readonly signsForAnyName: boolean;
  readonly hasConsole: boolean;
}

/** Makes the parts of a server from its options, and ties them together. */
export function assemble(options: A2AServerOptions, { respondLocally, limiters }: Surroundings): Assembly {
  const basis = basisOf(options);
  const { basePath, pathOf, defaultAgent, limits, clock } = basis;
  const work = workPartsOf(options, basis, respondLocally);
  const { engine } = work;
  const security = securityOf(options, {
    ...basis,
    store: work.store,
    whenStoreOpen: () => (opening.isOpen ? undefined : opening.whenOpen()),
  });
  const { signer, publishedKeys } = signingPartsOf(basis.card);
  const push = pushOf(options, {
    ...basis,
    engine,
    outbound: work.outbound.guard,
    cardPathOf: (name) => `${name === defaultAgent ? '' : pathOf(name)}${OFFICIAL_CARD}`,
  });
  const draining = new Draining(() => engine.drainLeft);
  const telemetry = telemetryOf(options, { ...basis, ...work, push });
  const last: Opened = {
    open: async () => push?.open(),
    close: async (patience) => {
      work.subAgents.close();
      await push?.close(patience);
    },
  };
  const check = signer && (() => signer.open());
  const opening: Opening = new Opening(engine, { check, telemetry, first: security.opened, last });
  if (push) publishedKeys.add(() => opening.whenOpen().then(() => push.keys()));
  const shared = { ...basis, ...work, security, push, telemetry, publishedKeys, opening, draining };
  const addresses = addressPartsOf(options, shared);
  const { mounts, bindings, router } = addresses;
  const tellers = cardParts(options, {
    agents: basis.agents,
    defaultAgent,
    basePath,
    pathOf,
    mounts,
    dialects: basis.dialects,
    bindings: bindings.all,
    keyLifetime: basis.retention.keys,
    shape: basis.card.shape,
    isGuarded: basis.card.isGuarded,
    maxAge: basis.card.maxAge,
    signer,
    security,
    push,
    grpcAddress: basis.grpcAddress,
    clock,
    log: basis.log,
  });
  return {
    ...shared,
    ...requestPartsOf(options, { ...shared, ...addresses, ...tellers, limiters }),
    bodies: new HeldBodies(limits, clock),
    cards: tellers.cards,
    bindings,
    router,
    mounts,
    authentication: security.opened?.authentication,
    open: options.open === true,
    hasConsole: basis.console !== undefined,
    signsForAnyName: signer !== undefined && !Array.isArray(options.hosts) && options.url === undefined,
  };
}
