import type { Store } from '../../../../engine/ports.ts';
import { accept, append, chunkEvent, creation, messageEvent, NO_LIMIT } from '../../fixtures.ts';
import { rounds } from '../../rounds.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';

const BIG = 'x'.repeat(1_000);

export function describeReading({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('read', () => {
    it('gives the events after any position', async () => {
      const events = await writeTask(bed.store);
      for (let after = 0; after <= events.length; after += 1) {
        expect(await bed.store.read('task', after, NO_LIMIT)).toEqual(events.slice(after));
      }
      expect(await bed.store.read('task', events.length + 5, NO_LIMIT)).toEqual([]);
      expect(await bed.store.read('unknown', 0, NO_LIMIT)).toEqual([]);
    });

    it('stops at the limit of events, also inside a commit', async () => {
      const events = await writeTask(bed.store);
      for (const limit of [1, 2, 3, 7, 100]) {
        const found = await bed.store.read('task', 1, { ...NO_LIMIT, events: limit });
        expect(found).toEqual(events.slice(1, 1 + limit));
      }
    });

    it('stops when the limit of bytes is reached', async () => {
      await writeTask(bed.store);
      const found = await bed.store.read('task', 2, { ...NO_LIMIT, bytes: 3_000 });
      expect(found.map(({ seq }) => seq)).toEqual([3, 4, 5]);
    });

    it('gives at least one event, however small the limits are', async () => {
      const events = await writeTask(bed.store);
      expect(await bed.store.read('task', 4, { events: 0, bytes: 0 })).toEqual([events[4]]);
      expect(await bed.store.read('task', 4, { ...NO_LIMIT, bytes: 1 })).toEqual([events[4]]);
    });

    it('gives everything once when it is read page by page', async () => {
      const events = await writeTask(bed.store);
      const found = [];
      for (const _ of rounds(50, '`read` includes its own place, or begins anew')) {
        const page = await bed.store.read('task', found.length, { events: 3, bytes: 2_500 });
        if (page.length === 0) break;
        found.push(...page);
      }
      expect(found).toEqual(events);
    });
  });
}

/** A task of 2 + 4 + 1 + 4 events. */
async function writeTask(store: Store) {
  const created = creation('task');
  const chunks = [3, 4, 5, 6].map((seq) => chunkEvent(seq, 'result', BIG));
  const more = [8, 9, 10, 11].map((seq) => chunkEvent(seq, 'result', BIG));
  let head = await accept(store, created);
  head = await accept(store, append(head, chunks));
  head = await accept(store, append(head, [messageEvent(7)]));
  await accept(store, append(head, more));
  return [...created.events, ...chunks, messageEvent(7), ...more];
}
