import type { Attributes, Meter } from '@opentelemetry/api';
import { INSTRUMENTATION, LABEL_ATTRIBUTES, type MetricLabel } from '../names.ts';
import type { OpenTelemetry } from '../open-telemetry.ts';
import type { Metric } from './catalog.ts';
import type { Labels, MetricsFace, ReadGauge } from './registry.ts';

/** The metrics for the provider that the program has registered. */
export class OpenTelemetryFace implements MetricsFace {
  readonly #meter: Meter;

  constructor(api: OpenTelemetry) {
    this.#meter = api.metrics.getMeter(INSTRUMENTATION);
  }

  writer({ kind, openTelemetry: name, help: description, unit, buckets }: Metric) {
    if (name === undefined) return undefined;
    if (kind === 'counter') {
      const counter = this.#meter.createCounter(name, { description, unit });
      return (labels: Labels, value: number) => counter.add(value, attributesOf(labels));
    }
    const advice = buckets && { explicitBucketBoundaries: [...buckets] };
    const histogram = this.#meter.createHistogram(name, { description, unit, ...(advice && { advice }) });
    return (labels: Labels, value: number) => histogram.record(value, attributesOf(labels));
  }

  gauge({ openTelemetry: name, help: description, unit }: Metric, read: ReadGauge): void {
    if (name === undefined) return;
    this.#meter.createObservableGauge(name, { description, unit }).addCallback(async (result) => {
      for (const { labels, value } of await read()) result.observe(value, attributesOf(labels));
    });
  }
}

function attributesOf(labels: Labels): Attributes {
  const named = Object.entries(labels).map(
    ([label, value]) => [LABEL_ATTRIBUTES[label as MetricLabel], value] as const,
  );
  return Object.fromEntries(named);
}
