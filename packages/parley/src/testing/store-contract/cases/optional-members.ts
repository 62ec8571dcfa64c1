import { AGENT, accept, creation } from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const SHORT_WINDOW = 50;

/** The promises of members that a store may lack: `rates`, `time` and `probe`. */
export function describeOptionalMembers({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('rates, where the store has them', () => {
    it('count what was added to each key, and say how much of the window is left', async () => {
      const { rates } = bed.store;
      if (!rates) return;
      const keys = ['a', 'A', 'a ', 'a\u0000', '\uD800', '\uDFFF', 'x'.repeat(1_000)];
      const lefts: number[] = [];
      for (const [index, key] of keys.entries()) {
        for (const [count, total] of [
          [index + 1, index + 1],
          [0, index + 1],
          [5, index + 6],
        ] as const) {
          const counted = await rates.countRate(key, count, MINUTE);
          expect(counted.total).toBe(total);
          lefts.push(counted.left);
        }
      }
      expect(lefts.filter((left) => !(left > 0 && left <= MINUTE))).toEqual([]);
    });

    it('lose nothing that several add at the same time', async () => {
      const { rates } = bed.store;
      if (!rates) return;
      const counted = await Promise.all(Array.from({ length: 10 }, async () => rates.countRate('key', 1, MINUTE)));
      const totals = counted.map(({ total }) => total).sort((left, right) => left - right);
      expect(totals).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    it('begin anew when the window has ended', async () => {
      const { rates } = bed.store;
      if (!rates) return;
      const { left } = await rates.countRate('key', 7, SHORT_WINDOW);
      expect(left > 0 && left <= SHORT_WINDOW).toBe(true);
      // By the clock of the contract and by any other one.
      bed.now += 2 * SHORT_WINDOW;
      await new Promise((resolve) => void setTimeout(resolve, 2 * SHORT_WINDOW));
      expect((await rates.countRate('key', 2, MINUTE)).total).toBe(2);
    });
  });

  describe('time, where the store has a clock', () => {
    it('is in milliseconds since the epoch, and does not go back', async () => {
      const { store } = bed;
      if (!store.time) return;
      const times: number[] = [];
      for (let count = 0; count < 5; count += 1) times.push(await store.time());
      expect(times.every(Number.isFinite)).toBe(true);
      expect(times.toSorted((left, right) => left - right)).toEqual(times);
      const [first = 0] = times;
      expect([bed.now, Date.now()].some((now) => Math.abs(first - now) < DAY)).toBe(true);
    });
  });

  describe('probe, where the store has one', () => {
    it('resolves while the store can write, and changes nothing', async () => {
      const { store } = bed;
      if (!store.probe) return;
      const head = await accept(store, creation('task', { state: 'completed', node: null }));
      for (let count = 0; count < 3; count += 1) await store.probe();
      expect(await store.list({ agent: AGENT, limit: 10 })).toEqual({ heads: [head], total: 1 });
    });
  });
}
