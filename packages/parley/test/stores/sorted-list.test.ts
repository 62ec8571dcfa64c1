import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePlaces, type Place, SortedList } from '../../src/stores/memory/sorted-list.ts';

const place = fc.record({ statusTime: fc.nat(40), id: fc.nat(40).map((number) => `id ${number}`) });
const operation = fc.record({ kind: fc.constantFrom('add', 'add', 'add', 'delete'), place });

describe('SortedList', () => {
  it('reads like a sorted array after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(operation, { size: '+2' }), place, (operations, cursor) => {
        const list = new SortedList<Place>();
        const model = new Map<string, Place>();
        for (const { kind, place: item } of operations) {
          const name = JSON.stringify(item);
          if (kind === 'delete') expect(list.delete({ ...item })).toBe(model.delete(name));
          else if (!model.has(name)) {
            model.set(name, item);
            list.add(item);
          }
        }
        const sorted = [...model.values()].sort(comparePlaces);
        expect(list.size).toBe(sorted.length);
        expect([...list.after()]).toEqual(sorted);
        expect([...list.after(cursor)]).toEqual(sorted.filter((item) => comparePlaces(item, cursor) > 0));
        const since = sorted.filter(({ statusTime }) => statusTime >= cursor.statusTime);
        expect(list.countSince(cursor.statusTime)).toBe(since.length);
      }),
    );
  });

  it('stays sorted while thousands of items move to the new end', () => {
    const list = new SortedList<Place>();
    const items = Array.from({ length: 5_000 }, (_, index) => ({ statusTime: index, id: String(index) }));
    for (const item of items) list.add(item);
    for (let index = 0; index < items.length; index += 1) {
      const item = items[(index * 7_919) % items.length];
      if (!item) continue;
      list.delete(item);
      item.statusTime += items.length + index;
      list.add(item);
    }
    expect([...list.after()]).toEqual(items.toSorted(comparePlaces));
  });
});
