import { expect, it } from 'vitest';
import { scheduleOf } from './support/schedule.ts';

const options = { nodes: 3, duration: 15_000, lease: 3000 };
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

it('a seed says which faults befall a cluster, and when', () => {
  expect(scheduleOf({ ...options, seed: 7 })).toEqual(scheduleOf({ ...options, seed: 7 }));
  expect(scheduleOf({ ...options, seed: 7 })).not.toEqual(scheduleOf({ ...options, seed: 8 }));
});

it('every schedule has each kind of fault, pauses that are longer than the lease, and one node that is left alone', () => {
  for (const seed of SEEDS) {
    const faults = scheduleOf({ ...options, seed });
    expect(new Set(faults.map(({ kind }) => kind)).size).toBe(6);
    for (const { kind, lasts } of faults) if (kind === 'pause') expect(lasts).toBeGreaterThan(options.lease);
    const away = faults.filter(({ kind }) => kind === 'kill' || kind === 'pause' || kind === 'isolate');
    for (const { at } of away) {
      const others = away.filter((other) => other.at <= at && other.at + other.lasts > at);
      expect(new Set(others.map(({ node }) => node)).size).toBe(others.length);
      expect(others.length).toBeLessThan(options.nodes);
    }
  }
});
