import type { MetricsPoint, MetricsSnapshot } from '../../../../parley/src/server/operator/console-api.ts';
import { formatBytes, formatDuration } from '../../design/components/values/measures.tsx';

export type Tint = 'accent' | 'bad' | 'warn' | 'good';

export interface ChartLine {
  readonly name: string;
  readonly tint: Tint;
  /** Undefined: nothing was measured. */
  readonly measure: (point: MetricsPoint, step: number) => number | undefined;
}

export interface ChartKind {
  readonly title: string;
  readonly format: (value: number) => string;
  readonly lines: readonly ChartLine[];
}

/** Gauges are sampled while somebody looks at the page; the points before that have none. */
const isSampled = ({ heapBytes, loopDelay, streams, runsWaiting }: MetricsPoint) =>
  heapBytes > 0 || loopDelay > 0 || streams > 0 || runsWaiting > 0;
const gauge = (read: (point: MetricsPoint) => number) => (point: MetricsPoint) =>
  isSampled(point) ? read(point) : undefined;
const perSecond = (count: number, step: number) => (count * 1000) / step;
const formatRate = (value: number) => `${roundShort(value)}/s`;
const formatCount = (value: number) => roundShort(value);

/** The small charts of the page. */
export const CHARTS: readonly ChartKind[] = [
  {
    title: 'Requests',
    format: formatRate,
    lines: [
      { name: 'all', tint: 'accent', measure: (point, step) => perSecond(point.operations, step) },
      { name: 'failed', tint: 'bad', measure: (point, step) => perSecond(point.failures, step) },
    ],
  },
  {
    title: 'Latency',
    format: formatDuration,
    lines: [
      { name: 'median', tint: 'accent', measure: ({ latency }) => latency?.p50 },
      { name: '95th percentile', tint: 'warn', measure: ({ latency }) => latency?.p95 },
    ],
  },
  {
    title: 'Events',
    format: formatRate,
    lines: [{ name: 'committed', tint: 'accent', measure: (point, step) => perSecond(point.events, step) }],
  },
  {
    title: 'Streams and runs',
    format: formatCount,
    lines: [
      { name: 'open streams', tint: 'accent', measure: gauge(({ streams }) => streams) },
      { name: 'runs waiting', tint: 'warn', measure: gauge(({ runsWaiting }) => runsWaiting) },
    ],
  },
  {
    title: 'Event loop',
    format: formatDuration,
    lines: [{ name: 'longest delay', tint: 'accent', measure: gauge(({ loopDelay }) => loopDelay) }],
  },
  {
    title: 'Memory',
    format: formatBytes,
    lines: [{ name: 'heap', tint: 'accent', measure: gauge(({ heapBytes }) => heapBytes) }],
  },
];

/** Columns as uPlot takes them: times in seconds, then the values of each line; null where there is none. */
export function columnsOf(kind: ChartKind, { points, step }: MetricsSnapshot): [number[], ...(number | null)[][]] {
  const times = points.map(({ at }) => Date.parse(at) / 1000);
  return [times, ...kind.lines.map(({ measure }) => points.map((point) => measure(point, step) ?? null))];
}

/** The latest value of a line in words. */
export function latestOf(kind: ChartKind, line: ChartLine, { points, step }: MetricsSnapshot): string {
  const last = points.at(-1);
  const value = last && line.measure(last, step);
  return value === undefined ? '–' : kind.format(value);
}

function roundShort(value: number): string {
  return value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString() : value.toFixed(1);
}
