import type { Registry } from 'prom-client';
import type { Metric } from './catalog.ts';
import type { Labels, MetricsFace, ReadGauge } from './registry.ts';
import type { PrometheusRegistry } from './settings.ts';

type PromClient = Pick<typeof import('prom-client'), 'Counter' | 'Gauge' | 'Histogram' | 'Registry'>;

/** Loads `prom-client`, which is installed only for metrics in Prometheus form. */
export async function loadPromClient(): Promise<PromClient> {
  try {
    const module = await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ 'prom-client');
    return 'Registry' in module ? module : (module as { readonly default: PromClient }).default;
  } catch (cause) {
    throw new Error('The setting metrics needs the package prom-client: npm install prom-client', { cause });
  }
}

/** The metrics in a registry of `prom-client`. */
export class PrometheusFace implements MetricsFace {
  readonly #client: PromClient;
  readonly #registry: Registry;

  constructor(client: PromClient, registry: PrometheusRegistry = new client.Registry()) {
    this.#client = client;
    this.#registry = registry as Registry;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  writer(metric: Metric): ((labels: Labels, value: number) => void) | undefined {
    const settings = this.#settings(metric);
    if (!settings) return undefined;
    if (metric.kind === 'counter') {
      const counter = new this.#client.Counter(settings);
      return (labels, value) => counter.inc(labels, value);
    }
    const histogram = new this.#client.Histogram({ ...settings, buckets: [...(metric.buckets ?? [])] });
    return (labels, value) => histogram.observe(labels, value);
  }

  gauge(metric: Metric, read: ReadGauge): void {
    const settings = this.#settings(metric);
    if (!settings) return;
    new this.#client.Gauge({
      ...settings,
      async collect() {
        const readings = await read();
        this.reset();
        for (const { labels, value } of readings) this.set(labels, value);
      },
    });
  }

  #settings({ name, help, labels }: Metric) {
    return name === undefined ? undefined : { name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}
