import { describe, expect, it } from 'vitest';
import { AGENT, ALICE, accept, creation, keyRecord } from '../stores/fixtures.ts';
import { inspect, openStore } from '../stores/sqlite/fixtures.ts';
import { tempFile } from '../support/temp-folder.ts';

describe.each(['loop', 'worker'] as const)('sweeping a file, written on the %s', (writer) => {
  it('removes all that has run out, in parts between which commits come through', async () => {
    const file = tempFile();
    const store = await openStore(file, { writer, synchronous: 'off', now: () => 1 });
    const keys = Array.from({ length: 3_500 }, (_, index) => keyRecord(`key ${index}`, { expiresAt: 100 }));
    await store.commit(keys.map((key) => ({ kind: 'reply', key })));
    await store.commit([{ kind: 'reply', key: keyRecord('later', { expiresAt: 101 }) }]);
    const count = () =>
      inspect(file, (database) => database.prepare<{ n: number }>('SELECT count(*) AS n FROM keys').get()?.n);
    const seen = new Set<number | undefined>();
    const sweeping = Promise.resolve(store.sweep(100));
    let isSwept = false;
    void sweeping.then(() => {
      isSwept = true;
    });
    for (let number = 0; !isSwept; number += 1) {
      seen.add(count());
      await accept(store, creation(`task ${number}`));
      await new Promise(setImmediate);
    }
    await sweeping;
    expect(count()).toBe(1);
    expect(await store.key({ agent: AGENT, ...ALICE }, 'later', 100)).toMatchObject({ key: 'later' });
    expect([...seen].some((left) => left !== undefined && left > 1 && left < 3_501)).toBe(true);
  });
});
