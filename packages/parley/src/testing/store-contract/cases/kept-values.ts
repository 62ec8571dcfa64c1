import type { StoreTestBed, TestRunner } from '../runner.ts';

export function describeKeptValues({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('kept values', () => {
    it('are what they were when they were first kept', async () => {
      expect(await bed.store.keptValue('key')).toBe(undefined);
      expect(await bed.store.keepValue('key', 'first \uD83D\uDE00')).toBe(true);
      expect(await bed.store.keepValue('key', 'second')).toBe(false);
      expect(await bed.store.keptValue('key')).toBe('first \uD83D\uDE00');
      expect(await bed.store.keptValue('other')).toBe(undefined);
    });

    it('are those of one of several who keep one at the same time', async () => {
      for (const name of ['first', 'second', 'third']) {
        const values = ['a', 'b', 'c'].map((value) => `${value} of ${name}`);
        const kept = await Promise.all(values.map(async (value) => bed.store.keepValue(name, value)));
        expect(kept.filter(Boolean).length).toBe(1);
        expect(await bed.store.keptValue(name)).toBe(values[kept.indexOf(true)]);
      }
    });

    it('stay when tasks are purged and expired things are swept away', async () => {
      await bed.store.keepValue('key', 'value');
      await bed.store.purge({ endedBefore: Number.MAX_SAFE_INTEGER, limit: 10 });
      await bed.store.sweep(Number.MAX_SAFE_INTEGER);
      expect(await bed.store.keptValue('key')).toBe('value');
    });
  });
}
