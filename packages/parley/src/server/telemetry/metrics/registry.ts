import type { MetricLabel } from '../names.ts';
import { METRICS, type Metric, type MetricId } from './catalog.ts';

export type Labels = Readonly<Partial<Record<MetricLabel, string>>>;

/** One value of a gauge. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number;
}

/** Reads the values of a gauge when they are asked for. */
export type ReadGauge = () => readonly Reading[] | Promise<readonly Reading[]>;

/** One way in which metrics are told: Prometheus, or OpenTelemetry. */
export interface MetricsFace {
  /** Returns what takes the values of a counter or a histogram; undefined where this face does not have it. */
  writer(metric: Metric): ((labels: Labels, value: number) => void) | undefined;
  gauge(metric: Metric, read: ReadGauge): void;
}

type Write = (labels: Labels, value: number) => void;

/** The metrics of a server, in all the faces that are wanted. */
export class MetricsRegistry {
  readonly #writers = new Map<MetricId, readonly Write[]>();
  readonly #gauges = new Map<MetricId, ReadGauge>();
  readonly #faces: MetricsFace[] = [];

  constructor(faces: readonly MetricsFace[]) {
    for (const face of faces) this.add(face);
  }

  /** Adds a face; it gets what is measured from now on. */
  add(face: MetricsFace): void {
    this.#faces.push(face);
    for (const [id, metric] of Object.entries(METRICS) as [MetricId, Metric][]) {
      const write = metric.kind === 'gauge' ? undefined : face.writer(metric);
      if (write) this.#writers.set(id, [...(this.#writers.get(id) ?? []), write]);
    }
    for (const [id, read] of this.#gauges) face.gauge(METRICS[id], read);
  }

  /** Adds to a counter, or a value to a histogram. */
  record(id: MetricId, labels: Labels, value = 1): void {
    for (const write of this.#writers.get(id) ?? []) write(labels, value);
  }

  read(id: MetricId, read: ReadGauge): void {
    this.#gauges.set(id, read);
    for (const face of this.#faces) face.gauge(METRICS[id], read);
  }
}
