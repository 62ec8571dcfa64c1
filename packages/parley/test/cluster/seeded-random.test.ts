import { expect, it } from 'vitest';
import { seededRandom } from '../../src/testing/cluster/spread-fetch.ts';

const SEEDS = Array.from({ length: 1000 }, (_, seed) => seed);
const shareBelow = (limit: number, values: readonly number[]) =>
  values.filter((value) => value < limit).length / values.length;

it('the same seed gives the same numbers', () => {
  const [one, other] = [seededRandom(5), seededRandom(5)];
  for (let count = 0; count < 10; count += 1) expect(one()).toBe(other());
});

it('neighbouring seeds give numbers that have nothing to do with each other, from the first one on', () => {
  const randoms = SEEDS.map(seededRandom);
  for (let count = 0; count < 5; count += 1) {
    const values = randoms.map((random) => random());
    // Also within a few neighbours, as the tasks of one run are.
    for (const some of [values, values.slice(0, 100), values.slice(500, 600)]) {
      expect(shareBelow(0.1, some)).toBeGreaterThan(0.02);
      expect(shareBelow(0.1, some)).toBeLessThan(0.25);
      expect(shareBelow(0.5, some)).toBeGreaterThan(0.3);
      expect(shareBelow(0.5, some)).toBeLessThan(0.7);
    }
  }
});
