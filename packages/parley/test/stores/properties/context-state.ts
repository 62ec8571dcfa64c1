import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../src/model/basics/json.ts';
import { changing, kept, LIFETIME, SCOPE } from '../../../src/testing/store-contract/cases/context-state.ts';
import type { StoreTestBed } from '../../../src/testing/store-contract/runner.ts';
import { accept, creation } from '../fixtures.ts';

/** Compares what a context keeps with a map to which the same changes were made. */
export function describeContextModel(bed: Pick<StoreTestBed, 'store' | 'now'>): void {
  const task = (id: string, contextId: string) => accept(bed.store, creation(id, { contextId, time: 1 }));

  it('what a context keeps is what the changes in their order come to', async () => {
    const key = fc.constantFrom('a', 'b', '\uD800', '\uFFFE"x"');
    const change = fc.record({ key, value: fc.option(fc.jsonValue(), { nil: undefined }), by: fc.nat(150) });
    let contexts = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        contexts += 1;
        const contextId = `context ${contexts} \uD800`;
        const head = await task(`task ${contexts}`, contextId);
        const expected = new Map<string, unknown>();
        let time = 1;
        for (const { key: name, value, by } of changes) {
          if (by >= LIFETIME) expected.clear();
          time += by;
          await accept(bed.store, changing(head, kept(name, value as JsonValue | undefined, time)));
          if (value === undefined) expected.delete(name);
          else expected.set(name, JSON.parse(JSON.stringify(value)));
        }
        const state = await bed.store.contextState(SCOPE, contextId, time);
        expect(new Map(JSON.parse(JSON.stringify([...state])))).toEqual(
          new Map(JSON.parse(JSON.stringify([...expected]))),
        );
      }),
      { numRuns: 30 },
    );
  });
}
