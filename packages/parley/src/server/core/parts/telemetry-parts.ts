import type { Agent } from '../../../agent/agent.ts';
import type { DialectRegistry } from '../../../dialects/registry.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Clock, Logger, Store } from '../../../engine/ports.ts';
import type { EventFollower } from '../../follow/event-follower.ts';
import type { Interceptors } from '../../intercept/interceptors.ts';
import type { A2AServerOptions } from '../../options.ts';
import type { Push } from '../../push/push.ts';
import { requestLog } from '../../telemetry/logs/request-log.ts';
import { isStructuredLog } from '../../telemetry/logs/structured-log.ts';
import { Telemetry } from '../../telemetry/telemetry.ts';

interface TelemetrySurroundings {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: () => string;
  readonly dialects: DialectRegistry;
  readonly interceptors: Interceptors;
  readonly events: EventFollower;
  readonly engine: Engine;
  readonly push: Push | undefined;
}

/** The telemetry of a server: logs from the start, traces and metrics when it opens. */
export function telemetryOf(options: A2AServerOptions, parts: TelemetrySurroundings): Telemetry {
  const { agents, store, clock, log, newId, dialects, interceptors, events, engine, push } = parts;
  if (options.log && isStructuredLog(options.log)) interceptors.add(requestLog(options.log, newId));
  return new Telemetry(options.metrics, {
    agents,
    store,
    clock,
    log,
    versionOf: (dialect) => dialects.ofForm(dialect)?.version ?? dialect,
    use: (extension) => {
      interceptors.addOutermost(extension);
      if (extension.onEvent) events.add(extension.onEvent);
    },
    queue: engine.queue,
    load: () => ({
      ...engine.queues,
      tasks: engine.load.tasks,
      streams: engine.load.subscriptions,
      webhooksAwake: push?.deliveries.awake ?? 0,
      isStoreFailing: engine.isStoreFailing,
    }),
  });
}
