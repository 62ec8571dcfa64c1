import { describe, expect, it } from 'vitest';
import type { MetricsPoint, MetricsSnapshot } from '../../../parley/src/server/operator/console-api.ts';
import { CHARTS, columnsOf, latestOf } from '../../src/operate/charts/chart-data.ts';
import { describeSpan } from '../../src/operate/spans.ts';

function point(seconds: number, changes: Partial<MetricsPoint>): MetricsPoint {
  const none = { operations: 0, failures: 0, events: 0, streams: 0, runsWaiting: 0, loopDelay: 0, heapBytes: 0 };
  return { at: new Date(seconds * 1000).toISOString(), ...none, ...changes };
}

const snapshot = {
  step: 2000,
  points: [
    point(1, { operations: 10 }),
    point(3, { operations: 5, failures: 1, latency: { p50: 2, p95: 1500, max: 9 } }),
  ],
} as unknown as MetricsSnapshot;

const [requests, latency, , , , memory] = CHARTS;

describe('the charts', () => {
  it('have rates by the second, and gaps where nothing was measured', () => {
    expect(requests && columnsOf(requests, snapshot)).toEqual([
      [1, 3],
      [5, 2.5],
      [0, 0.5],
    ]);
    expect(latency && columnsOf(latency, snapshot)).toEqual([
      [1, 3],
      [null, 2],
      [null, 1500],
    ]);
    const looked = { ...snapshot, points: [...snapshot.points, point(5, { heapBytes: 7 })] };
    expect(memory && columnsOf(memory, looked)[1]).toEqual([null, null, 7]);
  });

  it('say their latest values in words', () => {
    const words = [requests, latency].flatMap((kind) =>
      kind ? kind.lines.map((line) => latestOf(kind, line, snapshot)) : [],
    );
    expect(words).toEqual(['2.5/s', '0.5/s', '2 ms', '1.5 s']);
    expect(latency?.lines[0] && latestOf(latency, latency.lines[0], { ...snapshot, points: [] })).toBe('–');
  });
});

describe('spans of retention', () => {
  it.each([
    [undefined, 'for ever'],
    [86_400_000, '1 day'],
    [129_600_000, '1.5 days'],
    [7_200_000, '2 hours'],
    [500, '500 ms'],
  ])('%s is %s', (milliseconds, words) => {
    expect(describeSpan(milliseconds, 'for ever')).toBe(words);
  });
});
