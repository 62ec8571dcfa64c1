import type { MetricLabel } from '../names.ts';
import { METRICS, type Metric, type MetricId } from './catalog.ts';

export type Labels = Readonly<Partial<Record<MetricLabel, string>>>;

/** One value of a gauge. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number;
}

/** Reads the values of a gauge when somebody asks for them. */
export type ReadGauge = () => readonly Reading[] | Promise<readonly Reading[]>;

/** One way in which metrics are told: Prometheus, or OpenTelemetry. */
export interface MetricsFace {
  /** Returns what takes the values of a counter or a histogram; undefined where this face does not have it. */
  writer(metric: Metric): ((labels: Labels, value: number) => void) | undefined;
  gauge(metric: Metric, read: ReadGauge): void;
}

/** The metrics of a server, in all the faces that are wanted. */
export class MetricsRegistry {
  readonly #writers: ReadonlyMap<MetricId, readonly ((labels: Labels, value: number) => void)[]>;
  readonly #faces: readonly MetricsFace[];

  constructor(faces: readonly MetricsFace[]) {
    this.#faces = faces;
    const measured = Object.entries(METRICS).filter(([, { kind }]) => kind !== 'gauge');
    this.#writers = new Map(
      measured.map(([id, metric]) => [id as MetricId, faces.flatMap((face) => face.writer(metric) ?? [])]),
    );
  }

  /** Adds to a counter, or a value to a histogram. */
  record(id: MetricId, labels: Labels, value = 1): void {
    for (const write of this.#writers.get(id) ?? []) write(labels, value);
  }

  read(id: MetricId, read: ReadGauge): void {
    for (const face of this.#faces) face.gauge(METRICS[id], read);
  }
}
