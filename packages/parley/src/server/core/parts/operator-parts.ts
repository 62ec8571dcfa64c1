import type { Agent } from '../../../agent/agent.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../../bindings/exchange.ts';
import type { DialectRegistry } from '../../../dialects/registry.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Retention } from '../../../engine/node/retention.ts';
import type { Clock, Logger, Store } from '../../../engine/ports.ts';
import { storeKindOf } from '../../../model/basics/store-kind.ts';
import { checking } from '../../console/check/checking.ts';
import { ConsoleMeter } from '../../console/console-meter.ts';
import { relay } from '../../console/relay.ts';
import type { ConsoleOptions } from '../../console/settings.ts';
import type { Interceptors } from '../../intercept/interceptors.ts';
import type { ServerLimits } from '../../limits/limits.ts';
import type { ServerInfo } from '../../operator/console-api.ts';
import { forking, rerunning } from '../../operator/copying.ts';
import type { InternalErrors } from '../../operator/internal-errors.ts';
import { OperatorRoutes } from '../../operator/operator-routes.ts';
import { keyList } from '../../operator/read/key-list.ts';
import { nodeList } from '../../operator/read/node-list.ts';
import { serverInfo } from '../../operator/read/server-info.ts';
import { taskLog } from '../../operator/read/task-log.ts';
import { taskRows } from '../../operator/read/task-rows.ts';
import { taskTree } from '../../operator/read/task-tree.ts';
import type { A2AServerOptions } from '../../options.ts';
import type { ServerOutbound } from '../../outbound/server-outbound.ts';
import type { Push } from '../../push/push.ts';
import type { Draining } from '../draining.ts';
import type { Security } from '../security.ts';

interface OperatorSurroundings {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly defaultAgent: string;
  readonly basePath: string;
  readonly pathOf: (name: string) => string;
  /** As it was handed in. */
  readonly keptIn: Store;
  /** As the engine meets it. */
  readonly store: Store;
  readonly engine: Engine;
  readonly dialects: DialectRegistry;
  readonly interceptors: Interceptors;
  readonly limits: ServerLimits;
  readonly retention: Retention;
  readonly security: Security;
  readonly push: Push | undefined;
  readonly outbound: ServerOutbound;
  readonly draining: Draining;
  /** Undefined where the console is off. */
  readonly console: ConsoleOptions | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly failures: InternalErrors;
  /** The way of a request through this server. */
  readonly handle: (request: ExchangeRequest) => Promise<ExchangeResponse>;
}

/** The operators' routes beside those about webhooks. */
export function operatorRoutesOf(options: A2AServerOptions, parts: OperatorSurroundings): OperatorRoutes {
  const { agents, defaultAgent, basePath, pathOf, keptIn, store, engine, interceptors, clock } = parts;
  const { authentication } = parts.security.opened ?? {};
  const schemes = authentication && (() => authentication.authenticators.map(({ scheme }) => scheme));
  const node = () => engine.node;
  const dialect = parts.dialects.named('1.0');
  const agentOf = async (taskId: string) => (await store.head(taskId))?.agent ?? '';
  const transformOf = (agent: string) => interceptors.transformOf(agent);
  const ownerOf = async (taskId: string, contextId: string) => {
    const head = await store.head(taskId);
    return head?.contextId === contextId ? head.owner : undefined;
  };
  const copying = { work: engine.operators, dialect, draining: parts.draining, agentOf, ownerOf };
  return new OperatorRoutes({
    log: parts.log,
    failures: parts.failures,
    resources: {
      server: serverInfo({
        agents,
        defaultAgent,
        basePath,
        pathOf,
        node,
        startedAt: clock.now(),
        store: { kind: storeKindOf(keptIn), isShared: !keptIn.exclusive },
        schemes,
        hasPush: parts.push !== undefined,
        console: parts.console && {
          relay: () => (parts.outbound.reachesMachine ? 'machine' : 'public'),
          tracingUrl: parts.console.tracingUrl,
        },
        retention: boundedOf(parts.retention),
      }),
      'all-tasks': taskRows({ store, agents: [...agents.keys()], transformOf }),
      events: taskLog({ store, dialect, transformOf }),
      tree: taskTree(store),
      rerun: rerunning(copying),
      fork: forking(copying),
      nodes: nodeList({ store, clock, node }),
      keys: keyList(store),
      ...(parts.console && {
        relay: relay(parts.outbound.relayGuard),
        check: checking({
          agents,
          pathOf,
          settings: options,
          handle: parts.handle,
          outbound: parts.outbound,
          schemes: schemes ?? (() => []),
          failures: parts.failures,
        }),
        metrics: meterOf(parts).resource,
      }),
    },
  });
}

/** Counts from now on. */
function meterOf({ engine, interceptors, clock, push }: OperatorSurroundings): ConsoleMeter {
  const meter = new ConsoleMeter({
    clock,
    node: () => engine.node,
    load: () => ({
      ...engine.queues,
      tasks: engine.load.tasks,
      streams: engine.load.subscriptions,
      webhooksAwake: push?.deliveries.awake ?? 0,
      isStoreFailing: engine.isStoreFailing,
    }),
  });
  interceptors.addOutermost(meter.interceptor);
  engine.followCommits(meter.follower);
  return meter;
}

/** The times that are not for ever. */
function boundedOf(retention: Retention): ServerInfo['retention'] {
  const bounded = Object.entries(retention).filter(([, time]) => Number.isFinite(time));
  return Object.fromEntries(bounded) as ServerInfo['retention'];
}
