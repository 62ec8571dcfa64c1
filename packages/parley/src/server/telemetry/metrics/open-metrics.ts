import type { Clock, Logger, Store } from '../../../engine/ports.ts';
import type { OpenTelemetry } from '../open-telemetry.ts';
import { Metering } from './metering.ts';
import { OpenTelemetryFace } from './open-telemetry-face.ts';
import { loadPromClient, PrometheusFace } from './prometheus.ts';
import { readQueue, type SharedQueue } from './queue-readings.ts';
import { LoopDelay, TaskCounts } from './readings.ts';
import { type MetricsFace, MetricsRegistry } from './registry.ts';
import type { MetricsSettings } from './settings.ts';

/** The gauges of a server: memory held and work that waits right now. */
export interface ServerLoad {
  readonly tasks: number;
  readonly streams: number;
  readonly runsWaiting: number;
  readonly commitsWaiting: number;
  readonly webhooksAwake: number;
  readonly isStoreFailing: boolean;
}

export interface MetricsParts {
  readonly agents: readonly string[];
  readonly store: Pick<Store, 'list'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly load: () => ServerLoad;
  /** Undefined where no other node uses the store. */
  readonly queue?: SharedQueue | undefined;
}

/** The metrics of a server that is open. */
export interface OpenMetrics {
  readonly metering: Metering;
  /** Undefined where only OpenTelemetry is told. */
  readonly prometheus: PrometheusFace | undefined;
  /** The URL of their own port. */
  readonly url: string | undefined;
  /** Also tells OpenTelemetry from now on. */
  tell(api: OpenTelemetry): void;
  close(): Promise<void>;
}

/** Begins to measure, in the faces that are wanted. */
export async function openMetrics(
  settings: MetricsSettings | undefined,
  api: OpenTelemetry | undefined,
  parts: MetricsParts,
): Promise<OpenMetrics> {
  const { clock, log } = parts;
  const prometheus = settings && new PrometheusFace(await loadPromClient(), settings.registry);
  const faces: MetricsFace[] = [...(prometheus ? [prometheus] : []), ...(api ? [new OpenTelemetryFace(api)] : [])];
  const registry = new MetricsRegistry(faces);
  const loopDelay = new LoopDelay();
  readLoad(registry, parts, loopDelay);
  readQueue(registry, parts.queue, clock);
  const port = prometheus && settings.port !== undefined ? await listen(prometheus, settings, log) : undefined;
  return {
    metering: new Metering(registry, { elapsed: () => performance.now(), now: () => clock.now() }),
    prometheus,
    url: port?.url,
    tell: (late) => registry.add(new OpenTelemetryFace(late)),
    close: async () => {
      loopDelay.close();
      await port?.close();
    },
  };
}

function readLoad(registry: MetricsRegistry, { agents, store, clock, load }: MetricsParts, delay: LoopDelay): void {
  const counts = new TaskCounts(store, agents, clock);
  const one = (value: number) => [{ labels: {}, value }];
  registry.read('tasks', () => counts.read());
  registry.read('liveTasks', () => one(load().tasks));
  registry.read('openStreams', () => one(load().streams));
  registry.read('storeFailing', () => one(load().isStoreFailing ? 1 : 0));
  registry.read('loopDelay', delay.read);
  registry.read('queues', () => {
    const { runsWaiting, commitsWaiting, webhooksAwake } = load();
    return [
      { labels: { queue: 'runs' }, value: runsWaiting },
      { labels: { queue: 'commits' }, value: commitsWaiting },
      { labels: { queue: 'webhooks' }, value: webhooksAwake },
    ];
  });
}

async function listen(metrics: PrometheusFace, { port = 0, host }: MetricsSettings, log: Logger) {
  const { MetricsPort } = await import('../node/metrics-port.ts');
  const listening = new MetricsPort(metrics, log);
  await listening.listen(port, host);
  return listening;
}
