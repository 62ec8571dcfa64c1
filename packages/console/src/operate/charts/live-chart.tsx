import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { MetricsSnapshot } from '../../../../parley/src/server/operator/console-api.ts';
import { type ChartKind, columnsOf, latestOf } from './chart-data.ts';
import styles from './live-chart.module.css';

const HEIGHT = 120;
const MINUTES = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const SECONDS = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

interface LiveChartProps {
  readonly kind: ChartKind;
  readonly snapshot: MetricsSnapshot;
}

/** One small chart. Its latest values are there as text, for those who do not see the lines. */
export function LiveChart({ kind, snapshot }: LiveChartProps) {
  const figure = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(snapshot);
  latest.current = snapshot;
  useEffect(() => {
    const element = place.current;
    if (element === null || figure.current === null) return;
    const made = new uPlot(
      optionsFor(kind, figure.current, element.clientWidth),
      columnsOf(kind, latest.current),
      element,
    );
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [kind]);
  useEffect(() => plot.current?.setData(columnsOf(kind, snapshot)), [kind, snapshot]);
  const words = kind.lines.map((line) => `${line.name} ${latestOf(kind, line, snapshot)}`).join(', ');
  return (
    <figure ref={figure} className={styles.chart}>
      <figcaption>
        <h3>{kind.title}</h3>
        <ul>
          {kind.lines.map((line) => (
            <li key={line.name}>
              <i className={styles[line.tint]} data-tint={line.tint} aria-hidden /> {line.name}{' '}
              <strong>{latestOf(kind, line, snapshot)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} role="img" aria-label={`${kind.title} over time: ${words}`} />
    </figure>
  );
}

/** Colours are read from the legend when the chart is drawn, so that they follow the theme. */
function optionsFor(kind: ChartKind, figure: HTMLElement, width: number): uPlot.Options {
  const colourOf = (element: Element | null) => (element === null ? 'gray' : getComputedStyle(element).color);
  const axis = { stroke: () => colourOf(figure.querySelector('ul')), grid: { show: false }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    // Half of the last time stands beyond the last point.
    padding: [8, 28, 0, 0],
    scales: { y: { range: (_, __, most) => [0, Math.max(most ?? 0, 1) * 1.1] } },
    axes: [
      { ...axis, space: 76, size: 24, values: (_, splits) => clockTimes(splits) },
      { ...axis, space: 36, size: 62, values: (_, splits) => splits.map((value) => kind.format(value)) },
    ],
    series: [
      {},
      ...kind.lines.map(({ name, tint }) => ({
        label: name,
        width: 2,
        points: { show: true, size: 5, filter: lonelyPoints },
        stroke: () => colourOf(figure.querySelector(`[data-tint="${tint}"]`)),
      })),
    ],
  };
}

/** The points that no line leads to: those without a neighbour. */
function lonelyPoints(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const isGap = (place: number) => values[place] === null || values[place] === undefined;
  return [...values.keys()].filter((place) => !isGap(place) && isGap(place - 1) && isGap(place + 1));
}

/** Times that differ: with seconds where they are less than a minute apart. */
function clockTimes(seconds: readonly number[]): string[] {
  const [first = 0, second = Number.POSITIVE_INFINITY] = seconds;
  const clock = second - first < 60 ? SECONDS : MINUTES;
  return seconds.map((time) => clock.format(time * 1000));
}
